// A record that is dropped anywhere onto the page is shown. Loaded when something is first dragged over it.
import './drop.css';
import { t, tongue } from '../i18n/index.svelte';
import { openFile } from '../model/opened';
import { route } from '../model/route.svelte';
import { words } from '../model/words.svelte';
import { unopened } from './after/unopened';

const hint = document.createElement('div');
hint.className = 'drop';
const loaded = tongue.load('after');

const carriesFile = (e: DragEvent): boolean => e.dataTransfer?.types.includes('Files') === true;

async function show(file: File): Promise<void> {
  await loaded;
  try {
    route.go(`/replay/${await openFile(file)}`);
  } catch (e) {
    words.show(unopened(e), 'bad');
  }
}

addEventListener('dragover', (e) => {
  if (!carriesFile(e)) return;
  e.preventDefault();
  void loaded.then(() => (hint.textContent = t('after.openDrop')));
  document.body.append(hint);
});
addEventListener('dragleave', (e) => {
  if (e.relatedTarget === null) hint.remove();
});
addEventListener('drop', (e) => {
  hint.remove();
  if (!carriesFile(e)) return;
  e.preventDefault();
  const file = e.dataTransfer?.files[0];
  if (file !== undefined) void show(file);
});
