import { type Static, Type } from '../../api/type.js';
import { closed, maybe, oneOf, text } from '../../output/printed-shapes.js';

/** What was not as the last run had left it: it was moved away, and read again. */
export const Distrusted = closed({
  /** `manifest`: the one at the top is not the one that was signed; nothing of the last run was reused. */
  kind: oneOf('manifest', 'space'),
  id: text,
  title: maybe,
  path: Type.String({ description: 'Where it was moved to in the backup' }),
});
export type Distrusted = Static<typeof Distrusted>;
