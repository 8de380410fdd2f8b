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
