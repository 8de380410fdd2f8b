// room.mjs: ways to a table that several tests use, over the page where it matters and over HTTP where it does not.
import { request } from 'node:http';
import { PACE, serve, until } from './harness.mjs';

/** One request on a connection of its own: one that is kept may be closed by the server just as it is used again. */
const once = (url, method, text, token) =>
  new Promise((done, fail) => {
    const headers = { ...(text === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }), ...(token ? { Authorization: `Bearer ${token}` } : {}) };
    const sent = request(url, { method, headers, agent: false }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (part) => (body += part)).on('error', fail).on('end', () => done({ status: answer.statusCode, headers: answer.headers, body }));
    });
    sent.on('error', fail).end(text);
  });

/** The server's JSON answer; when it is too busy, after the pause that it asks for. `where` has its address. */
export async function api(where, method, path, body, token) {
  for (let tries = 0; ; tries++) {
    const answer = await once(`${where.address}/api${path}`, method, body === undefined ? undefined : JSON.stringify(body), token);
    if (answer.status < 300) return JSON.parse(answer.body);
    if (tries >= 60 || (answer.status !== 429 && answer.status !== 503)) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
    await new Promise((r) => setTimeout(r, 1000 * Number(answer.headers['retry-after'] ?? 1)));
  }
}

/** Creates a table on the page and sits down; answers its id and code. */
export async function host(page, game, name) {
  await page.goto(`/#/new/${game}`);
  await page.getByRole('button', { name: 'Open the table' }).click();
  await page.getByRole('button', { name: 'Sit down' }).click();
  await page.getByRole('textbox', { name: 'Your name' }).fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Sit down' }).click();
  await page.getByRole('heading', { name, level: 2 }).waitFor();
  await seated(page);
  const mine = await kept(page);
  return { table: mine[0].table, code: mine[0].code, host: mine[0].host };
}

/** What this browser keeps of its tables. */
export const kept = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('fathom.tables') ?? '[]'));

/** Others may be told of a new seat before the answer has come that it is ours. */
const seated = (page) => until('a seat of our own', async () => (await kept(page))[0]?.seats.length > 0);

/** Joins by code and sits down. */
export async function join(page, code, name) {
  await page.goto(`/#/t/${code}`);
  await page.getByRole('button', { name: 'Sit down' }).click();
  await page.getByRole('textbox', { name: 'Your name' }).fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Sit down' }).click();
  await page.getByRole('heading', { name, level: 2 }).waitFor();
  await seated(page);
}

/** Waits until the service worker has kept everything and answers for this page. */
export const keptBy = (page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null);

/** A device that was here once; then its network is cut and the server stopped. */
export async function cutOff(world, how = {}) {
  const server = await serve();
  const page = await world.device({ ...how, keeps: true, fresh: true, address: server.address });
  await keptBy(page);
  await page.context().setOffline(true);
  await server.stop();
  await page.reload();
  await page.locator('.banner').waitFor();
  return page;
}

/**
 * A TV makes a table and is its screen; a phone for each name comes by typing the code, and the TV starts the game.
 * `listen(page, seat)` is called before a phone opens anything.
 */
export async function bigScreen(world, game, names, listen = () => {}) {
  const tv = await world.device({ open: false, pace: PACE });
  await tv.setViewportSize({ width: 1920, height: 1080 });
  await tv.goto(`/#/new/${game}`);
  await tv.getByRole('button', { name: 'Open with this screen as the table' }).click();
  await tv.waitForURL(/#\/screen\//);
  const { table, code } = (await kept(tv))[0];
  await tv.getByText(`${code.slice(0, 3)}–${code.slice(3)}`).waitFor();
  const phones = [];
  for (const [seat, name] of names.entries()) {
    const phone = await world.device({ size: 'phone', open: false, pace: PACE });
    listen(phone, seat);
    await phone.goto('/');
    await phone.getByLabel('Character 1 of 6').click();
    await phone.keyboard.type(code);
    await phone.getByRole('button', { name: 'Join' }).click();
    await phone.getByRole('button', { name: 'Sit down' }).click();
    await phone.getByRole('textbox', { name: 'Your name' }).fill(name);
    await phone.getByRole('dialog').getByRole('button', { name: 'Sit down' }).click();
    await phone.getByRole('heading', { name, level: 2 }).waitFor();
    phones.push(phone);
  }
  await tv.getByText('Everybody is here.').waitFor();
  await tv.getByRole('button', { name: 'Start the game' }).click();
  return { tv, phones, table };
}

/** Plays seats over streams of their own in the page, first legal action each time: to the end, or until this change. */
export async function playOut(page, table, tokens, last = null) {
  await page.evaluate(
    ([id, all, last]) =>
      Promise.all(
        all.map(
          (token) =>
            new Promise((done, fail) => {
              const socket = new WebSocket(`ws://${location.host}/api/tables/${id}/live`);
              let n = 0;
              socket.onopen = () => socket.send(JSON.stringify({ hello: token }));
              socket.onerror = () => fail(new Error('the stream broke'));
              let action;
              const send = () => socket.send(JSON.stringify({ id: `t${Date.now()}-${++n}`, action }));
              socket.onmessage = (m) => {
                const { seq, view, refused, code, message } = JSON.parse(m.data);
                if (code === 'busy') setTimeout(send, 1000);
                else if (refused) fail(new Error(message));
                if (view?.result || (last !== null && seq >= last)) {
                  socket.close();
                  done();
                } else if (view?.legal?.length > 0) {
                  action = view.legal[0];
                  send();
                }
              };
            }),
        ),
      ),
    [table, tokens, last],
  );
}

/** Until a replay says that it is at its last step. */
export const atTheEnd = (where) =>
  until('the last step', async () => {
    const found = /Step (\d+) of (\d+)/.exec(await where.textContent());
    return found !== null && found[1] === found[2];
  });

/** A finished game: its deal is checked, and its replay goes to the end and shows every point of view. */
export async function afterwards(page, table, { accessible, fits }, name) {
  await page.goto(`/#/verify/${table}`);
  await page.getByText('The same seal, and the deal follows from the seed and the added randomness.').waitFor();
  await page.getByText(/^All \d+ moves follow from the deal$/).waitFor();
  await fits(page, `${name}: verify`);
  await page.goto(`/#/replay/${table}/0/3`);
  const where = page.getByText(/Step \d+ of \d+/).first();
  await page.getByText('Step 4 of').first().waitFor();
  await fits(page, `${name}: replay`);
  await accessible(page, `${name}: replay`);
  await page.keyboard.press('ArrowRight');
  await page.getByText('Step 5 of').first().waitFor();
  await page.keyboard.press('End');
  await atTheEnd(where);
  for (const view of ['Everything open', 'The table']) {
    await page.getByRole('radio', { name: view }).click();
    await page.locator('[role=radio][aria-checked=true]', { hasText: view }).waitFor();
  }
}
