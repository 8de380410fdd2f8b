// room.mjs: ways to a table that several tests use, over the page where it matters and over HTTP where it does not.

export async function api(page, method, path, body, token) {
  const answer = await page.request.fetch(`/api${path}`, {
    method,
    ...(body === undefined ? {} : { data: body }),
    // A connection of its own: one that is kept may be closed by the server just as it is used again.
    headers: { Connection: 'close', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
  });
  if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}

/** Creates a table on the page and sits down; answers its id and code. */
export async function host(page, game, name) {
  await page.goto(`/#/new/${game}`);
  await page.getByRole('button', { name: 'Open the table' }).click();
  await page.getByRole('button', { name: 'Sit down' }).click();
  await page.getByRole('textbox', { name: 'Your name' }).fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Sit down' }).click();
  await page.getByRole('heading', { name }).waitFor();
  const mine = await kept(page);
  return { table: mine[0].table, code: mine[0].code, host: mine[0].host };
}

/** What this browser keeps of its tables. */
export const kept = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('fathom.tables') ?? '[]'));

/** Joins by code and sits down. */
export async function join(page, code, name) {
  await page.goto(`/#/t/${code}`);
  await page.getByRole('button', { name: 'Sit down' }).click();
  await page.getByRole('textbox', { name: 'Your name' }).fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Sit down' }).click();
  await page.getByRole('heading', { name }).waitFor();
}

/** Plays a seat to the end over a stream of its own in the page, first legal action each time. */
export async function playOut(page, table, tokens) {
  await page.evaluate(
    ([id, all]) =>
      Promise.all(
        all.map(
          (token) =>
            new Promise((done, fail) => {
              const socket = new WebSocket(`ws://${location.host}/api/tables/${id}/live`);
              let n = 0;
              socket.onopen = () => socket.send(JSON.stringify({ hello: token }));
              socket.onerror = () => fail(new Error('the stream broke'));
              socket.onmessage = (m) => {
                const { view, refused, message } = JSON.parse(m.data);
                if (refused) fail(new Error(message));
                if (view?.result) {
                  socket.close();
                  done();
                } else if (view?.legal?.length > 0)
                  socket.send(JSON.stringify({ id: `t${Date.now()}-${++n}`, action: view.legal[0] }));
              };
            }),
        ),
      ),
    [table, tokens],
  );
}

/** A finished game: its deal is checked, and its replay goes to the end and shows every point of view. */
export async function afterwards(page, table, { accessible, equal, fits, ok }, name) {
  await page.goto(`/#/verify/${table}`);
  await page.getByText('The same seal, and the seed of the deal follows from seed and chance.').waitFor();
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
  const last = /Step (\d+) of (\d+)/.exec(await where.textContent());
  ok(last !== null, 'a step is named');
  equal(last[1], last[2], 'the last step');
  for (const view of ['All open', 'The table']) {
    await page.getByRole('radio', { name: view }).click();
    await page.locator('[role=radio][aria-checked=true]', { hasText: view }).waitFor();
  }
}
