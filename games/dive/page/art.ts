// The drawings of this game by name, and those that all games share.
import { art as shared, drawings } from '$ui/art';

export const art = drawings(
  import.meta.glob<string>('./art/*.svg', { eager: true, query: '?raw', import: 'default' }),
  shared,
);
