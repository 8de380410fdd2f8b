// The messages of this game among those of the page.
import type en from './en.json';

type Own = typeof en;

declare module '$i18n/index.svelte' {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type
  interface Messages extends Own {}
}
