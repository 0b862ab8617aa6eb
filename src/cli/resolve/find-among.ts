import { DocsError, notSent, usageError } from '../../base/errors.js';
import { type Resource, resources } from '../../model/resources.js';
import { canBeId, isAddress } from './id-places.js';

/** What was typed where resources of several kinds can stand. */
interface Typed {
  text: string;
  /** As errors name it: `--before`. */
  place: string;
  /** Whether it may be a title or an address; else it is an id. */
  isName: boolean;
}

interface Ways {
  /** Whether a resource of the kind has the text as its id. */
  hasId(kind: Resource): Promise<boolean>;
  /** The id of the resource of the kind that a title or an address names. @throws DocsError where there is none */
  idOf(kind: Resource): Promise<string>;
}

/**
 * The one resource among several kinds that a text names, as `kind:id`.
 * @throws DocsError not-found `unknown_title` where no kind has it; usage `ambiguous_title` where several do
 */
export async function findAmong(
  kinds: readonly Resource[],
  { text, place, isName }: Typed,
  { hasId, idOf }: Ways,
): Promise<string> {
  for (const kind of canBeId(text) ? kinds : []) {
    if (await hasId(kind)) return `${kind.printed.argument}:${text}`;
  }
  const found: { name: string; id: string }[] = [];
  for (const kind of isName ? kinds : []) {
    const id = await idOf(kind).catch(noneOf);
    if (id !== undefined) found.push({ name: `${kind.printed.argument}:${id}`, id });
  }
  const [only] = found;
  const quoted = JSON.stringify(text.slice(0, 100));
  if (only === undefined) {
    const nouns = kinds.map(({ noun }) => noun).join(' or ');
    const what = !isName ? 'id' : isAddress(text) ? 'address' : canBeId(text) ? 'id or title' : 'title';
    throw notSent('not-found', 'unknown_title', `${place}: no ${nouns} has the ${what} ${quoted}.`, {
      hint: `docs ${(kinds[0] ?? resources.space).command.words}`,
    });
  }
  if (found.length > 1) {
    const names = found.map(({ name }) => name).join(', ');
    const message = `${place}: ${names} are all called ${quoted}. Pass one of these ids.`;
    throw usageError('ambiguous_title', message, { details: { matches: found.map(({ id }) => ({ id })) } });
  }
  return only.name;
}

/** Another kind may have it. @throws every other failure */
function noneOf(cause: unknown): undefined {
  const isAbsent = cause instanceof DocsError && ['unknown_title', 'other_address'].includes(cause.code);
  if (!isAbsent) throw cause;
}
