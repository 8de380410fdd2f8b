// sweep.mjs: every screen around the games in windows of many sizes, in the longest language; see layout.mjs. The phases of
// a game are swept by games/NAME/tests.
import { equal, ok, run } from './harness.mjs';
import { faults, sweep } from './layout.mjs';
import { api, playOut } from './room.mjs';

const tests = {};

tests['a planted overlap, cut, broken word, small target and lost control are found'] = async (world) => {
  const page = await world.device({ open: false });
  await page.goto('about:blank'); // where no policy forbids styles
  const show = async (body) => {
    await page.setContent(`<!doctype html><body style="margin:0;font:16px sans-serif">${body}</body>`);
    return (await faults(page)).map((f) => f.split(':')[0]);
  };
  const button = (text, css, more = '') => `<button style="position:absolute;width:120px;height:48px;${css}" ${more}>${text}</button>`;
  const fine = button('One', 'left:10px;top:10px') + button('Two', 'left:10px;top:80px');
  equal(await show(fine), [], 'nothing is wrong here');

  equal(await show(fine + button('Three', 'left:60px;top:40px;')), ['overlap', 'overlap'], 'a button on two others');
  equal(await show(`<p style="position:absolute;top:20px">Some words</p><p style="position:absolute;top:28px">Other words</p>`), ['overlap'], 'a text on a text');
  ok((await show(`${fine}<div style="position:absolute;left:0;top:0;width:150px;height:50px;background:red"></div>`)).includes('covered'), 'a panel on a button');
  equal(await show(`${fine}<div style="position:absolute;left:0;top:0;width:150px;height:50px"></div>`), [], 'what is transparent covers nothing');
  equal(await show(`${fine}<aside class="drawer" style="position:absolute;left:0;top:0;width:150px;height:50px;background:red"></aside>`), [], 'a layer may lie above');

  equal(await show('<p style="width:60px;overflow:hidden;white-space:nowrap">A long word that ends</p>'), ['cut'], 'a cut line');
  equal(await show('<p style="height:10px;overflow:hidden">A line that is too high</p>'), ['cut'], 'a low box');
  equal(await show('<div style="height:60px;overflow:auto"><p style="height:200px"></p><p>Further down</p></div>'), [], 'what scrolls is not cut');

  equal(await show('<p style="width:60px;overflow-wrap:anywhere">Some kingfishers</p>'), ['broken'], 'a broken word');
  equal(await show('<p style="width:60px">Some king&shy;fishers and well-known birds</p>'), [], 'a word may break at a hyphen');

  equal(await show('<button style="width:40px;height:48px">x</button>'), ['small'], 'a small target');
  equal(await show('<style>button{position:relative;margin:20px}button::before{content:"";position:absolute;inset:-10px}</style><button style="width:30px;height:30px">x</button>'), [], 'a small one with an area around it');
  equal(await show('<p>A sentence with <a href="#/">a link</a> in it</p>'), [], 'a link in a sentence');
  equal(await show('<label style="display:flex;height:48px;width:200px"><input type="checkbox">Words</label>'), [], 'a label is a part of its target');

  equal(await show(button('One', 'left:-40px;top:10px')), ['off the screen'], 'beyond the left edge');
  equal(await show('<div style="height:100px;overflow:hidden"><button style="margin-top:90px;width:80px;height:48px"></button></div>'), ['off the screen'], 'hidden below');
  equal(await show(button('', 'position:fixed;left:10px;bottom:-30px')), ['off the screen'], 'fixed below the window');
  equal(await show('<div style="height:2000px"></div><button style="width:80px;height:48px">Down</button>'), [], 'a page may scroll down');
};

/* ---- the screens around the games ---- */

/** The longest of the three languages. */
const language = 'fr';
const open = async (world, path, sign) => {
  const page = await world.device({ language, open: false });
  await page.goto(`/${path}`);
  await page.locator(sign).first().waitFor();
  return page;
};

/** The six fields of a code are one control: a tap goes to any of them, and what is typed moves on by itself. */
const CODE = '.code input';

tests['home fits any window'] = async (world) => sweep(await open(world, '#/', 'main'), 'home', { small: CODE });

for (const game of ['dive', 'divercity', 'soumsoum'])
  tests[`creating ${game} fits any window`] = async (world) => sweep(await open(world, `#/new/${game}`, 'main .btn.go'), `create ${game}`);

for (const game of ['dive', 'divercity', 'soumsoum'])
  tests[`the lesson of ${game} fits any window`] = async (world) => {
    const page = await open(world, `#/learn/${game}`, '.room img');
    await sweep(page, `lesson of ${game}`, { small: '.ladder .tk' }); // see games/divercity/tests/fits.mjs
  };

tests['practising fits any window, before and after the answer'] = async (world) => {
  const page = await open(world, '#/practise', '.window .picture');
  await sweep(page, 'practise');
  await page.locator('[aria-keyshortcuts=F]').click();
  await sweep(page, 'practise at full size');
  await page.locator('[aria-keyshortcuts=F]').click();
  await page.locator('.guess .btn.go').click();
  await page.locator('img.sheet').waitFor();
  await sweep(page, 'practise, the truth');
  await page.locator('.foot .btn:not(.go)').click();
  await page.locator('.window .picture').waitFor();
  await sweep(page, 'practise, the whole stack again');
};

/** A table of Soum Soum, the quickest game: its host sits at it, bots have the other seats. */
async function table(world) {
  const page = await world.device({ language, open: false });
  const { table: id, host } = await api(page, 'POST', '/tables', { game: 'soumsoum', options: { players: 4, first: 0 } });
  const { token } = await api(page, 'POST', `/tables/${id}/seats`, { name: 'Marguerite', seat: 0 });
  for (const seat of [1, 2, 3]) await api(page, 'POST', `/tables/${id}/bots`, { seat, bot: 'random' }, host);
  await page.goto(`/#/s/${id}/0/${token}`);
  return { page, id, host, token };
}

tests['the lobby fits any window'] = async (world) => {
  const { page } = await table(world);
  await page.getByText('Marguerite').first().waitFor();
  await sweep(page, 'lobby');
};

tests['the end, the check of the deal and the replay fit any window'] = async (world) => {
  const { page, id, host, token } = await table(world);
  await page.getByText('Marguerite').first().waitFor();
  await api(page, 'POST', `/tables/${id}/start`, {}, host);
  await playOut(page, id, [token]);
  await page.reload();
  await page.locator('.end section.ok').waitFor();
  await sweep(page, 'the end');
  await page.goto(`/#/verify/${id}`);
  await page.locator('main .ok').first().waitFor();
  await sweep(page, 'verify');
  for (const who of ['open', '0']) {
    await page.goto(`/#/replay/${id}/${who}/30`);
    await page.reload();
    await page.locator('.replay main').waitFor();
    await sweep(page, `replay, ${who}`, { still: () => 'html' });
  }
};

await run(tests);
