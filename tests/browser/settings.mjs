// settings.mjs: settings are kept; dark paper keeps its contrast.
import { accessible, equal, fits, run } from './harness.mjs';
import { api } from './room.mjs';

const tests = {};

for (const [language, size] of [['en', 'desktop'], ['fr', 'phone'], ['nl', 'tablet']])
  tests[`settings in ${language} on a ${size}`] = async (world) => {
    const page = await world.device({ language, size });
    await page.goto('/#/settings');
    await page.getByRole('switch').first().waitFor();
    await world.shot(page, `settings-${size}`);
    await fits(page, 'settings');
    await accessible(page, 'settings');
  };

tests['name, sound, calm and pace are kept'] = async (world) => {
  const page = await world.device();
  await page.goto('/#/settings');
  await page.getByLabel('Your name').fill('Ana');
  await page.getByRole('switch', { name: 'Sound' }).click();
  await page.getByRole('switch', { name: 'Reduce motion' }).click();
  await page.getByRole('radio', { name: 'Slow' }).click();
  await page.reload();
  equal(await page.getByLabel('Your name').inputValue(), 'Ana', 'name');
  equal(await page.getByRole('switch', { name: 'Sound' }).getAttribute('aria-checked'), 'true', 'sound');
  equal(await page.getByRole('radio', { name: 'Slow' }).getAttribute('aria-checked'), 'true', 'pace');
  equal(await page.evaluate(() => document.documentElement.hasAttribute('data-calm')), true, 'calm');
};

tests['dark: home, create, lobby and settings keep their contrast'] = async (world) => {
  const page = await world.device();
  await page.goto('/#/settings');
  await page.getByRole('radio', { name: 'Dark' }).click();
  await accessible(page, 'settings');
  const { table } = await api(page, 'POST', '/tables', { game: 'dive', options: { divers: 3, companions: 'ten' }, listed: true });
  await api(page, 'POST', `/tables/${table}/seats`, { name: 'Bram' });
  for (const path of ['/', '/new/dive', '/new/divercity', `/table/${table}`]) {
    await page.goto(`/#${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await world.shot(page, `dark${path.replace(/\W+/g, '-').slice(0, 16)}`);
    await accessible(page, `dark ${path}`);
  }
};

await run(tests);
