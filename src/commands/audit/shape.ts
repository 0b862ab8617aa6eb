import { timestamp } from '../../api/shapes.js';
import { Type } from '../../api/type.js';
import { defined } from '../../base/values.js';
import { ActorShape, closed, flag, maybe, oneOf, text } from '../../output/printed-shapes.js';
import { counted } from '../../output/text.js';
import { type ChainLine, chainEvents } from '../../policy/audit/chain.js';

/** How the lines of the audit chain are printed. */

const counts = closed({
  ok: Type.Integer(),
  failed: Type.Integer(),
  unknown: Type.Integer(),
  left: Type.Integer(),
});
const cause = closed({ file: text, line: Type.Integer(), rule: text });

export const AuditEvent = closed({
  seq: Type.Integer({ minimum: 1, description: 'Place in the chain' }),
  at: timestamp,
  event: oneOf(...chainEvents),
  actor: Type.Optional(ActorShape),
  detail: Type.String({ description: 'What came of it, in words' }),
  job: maybe,
  command: maybe,
  org: maybe,
  plan: maybe,
  requests: Type.Optional(
    Type.Array(closed({ method: text, path: text, body: Type.Optional(Type.Unknown()) }), {
      description: 'What the plan sends',
    }),
  ),
  undoes: Type.Optional(Type.String({ description: 'The job that it undoes' })),
  item: Type.Optional(Type.Integer({ description: 'Index of the item that was settled by hand' })),
  counts: Type.Optional(counts),
  sha256: Type.Optional(Type.String({ description: 'SHA-256 of the journal, or of what a crash left' })),
  interrupted: Type.Optional(flag),
  missing: Type.Optional(flag),
  request: maybe,
  cause: Type.Optional(cause),
  bytes: Type.Optional(Type.Integer()),
  prev: Type.String({ description: 'SHA-256 of the line before' }),
});

const printedKeys = Object.keys(AuditEvent.properties);

/** A line as it is printed; whatever else somebody wrote into it is left to `docs audit export`. */
export function printedEvent(line: ChainLine): Record<string, unknown> {
  const known = { ...line, detail: detailOf(line) } as Record<string, unknown>;
  return defined(Object.fromEntries(printedKeys.map((key) => [key, known[key]])));
}

function detailOf(line: ChainLine): string {
  const { event, counts, interrupted, missing, request, cause, item, bytes, undoes, requests } = line;
  const found = [
    request,
    cause && `${cause.rule} (line ${cause.line})`,
    item === undefined ? undefined : `item ${item}`,
    undoes && `undoes ${undoes}`,
    requests && requestWords(requests),
    counts && countWords(counts),
    event === 'job-ended' && counts === undefined && missing !== true ? 'nothing was sent' : undefined,
    interrupted === true ? 'its process died' : undefined,
    missing === true ? 'its journal was gone' : undefined,
    event === 'torn' && bytes !== undefined ? counted(bytes, 'byte') : undefined,
  ];
  return found.filter((part) => part !== undefined && part !== '').join(', ');
}

/** More requests than this are counted; `--json` and `docs audit export` have all. */
const mostRequests = 3;

function requestWords(requests: NonNullable<ChainLine['requests']>): string {
  const words = ({ method, path, body }: (typeof requests)[number]) =>
    [method, path, ...(body === undefined ? [] : [JSON.stringify(body)])].join(' ');
  return requests.length > mostRequests
    ? counted(requests.length, 'request')
    : requests.map(words).join('; ');
}

function countWords(counts: NonNullable<ChainLine['counts']>): string {
  const told = (['ok', 'failed', 'unknown', 'left'] as const).filter((state) => counts[state] > 0);
  return told.map((state) => `${counts[state]} ${state}`).join(', ');
}
