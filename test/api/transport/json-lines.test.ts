import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonLines, PageRoom } from '../../../src/api/transport/json-lines.js';
import { parseJson } from '../../../src/api/transport/json-text.js';
import { Redaction } from '../../../src/api/transport/redaction.js';
import { hasInvisible } from '../../../src/base/invisible.js';
import { isObject } from '../../../src/base/values.js';
import { stringifyEach } from '../../../src/output/json.js';
import { runs } from '../../runs.js';

/** What is printed of a page without parsing it is what would be printed of its values. */

/** A room that looks at the shortest bodies, in pieces of an item or two. */
const smallRoom = () => new PageRoom({ body: 0, piece: 40 });

function linesOf(
  body: string | Uint8Array,
  {
    room = smallRoom(),
    isSecret = () => false,
  }: { room?: PageRoom; isSecret?: (text: string) => boolean } = {},
): JsonLines | undefined {
  const bytes = Buffer.from(body);
  room.begin(0);
  for (let at = 0; at < bytes.length; at += 100) room.add(bytes.subarray(at, at + 100));
  return room.lines(isSecret);
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

/** The items of a body as the parser and the printer have them; undefined where it is no list. */
function printedBy(body: string | Uint8Array): { items: unknown[]; rest: object } | undefined {
  const parsed = parseJson(Buffer.from(body));
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  const { items, ...rest } = parsed.value;
  return Array.isArray(items) ? { items, rest } : undefined;
}

/** Texts of JSON, and of what is nearly JSON, that say one thing in many ways. */

const space = fc.oneof(
  { weight: 60, arbitrary: fc.constant('') },
  fc.constantFrom(' ', '\n', '\t', '\u00a0'),
);
const parts = ['a', 'Zoë', '},{', '}],"items":[{', '":', '日本', '❤️', '👩\u200d🔬', '{', ']'];
const rareParts = [
  '\\u0041',
  '\\/',
  '\\ud800',
  '\\u001b',
  '\u202e',
  '\u200d',
  '\x7f',
  '\\u202e',
  '\x01',
  '"',
];
const stringText = fc
  .array(
    fc.oneof(
      { weight: 40, arbitrary: fc.constantFrom(...parts) },
      { weight: 8, arbitrary: fc.constantFrom('\\n', '\\"', '\\\\') },
      fc.constantFrom(...rareParts),
    ),
    { maxLength: 4 },
  )
  .map((all) => `"${all.join('').replaceAll('":', '\\":').replaceAll(',"items"', '')}"`);
const numberText = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('0', '1', '-5', '1.5', '123456789012345', '1e+21') },
  fc.constantFrom('-0', '1.0', '1e5', '1E400', '9007199254740993', '9007199254740992', '1e-400', '01', '+1'),
);
const keyText = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('"a"', '"b"', '"items"', '"Zoë"', '"__proto__"', '"toJSON"') },
  fc.constantFrom('"1"', '"0"', '"a\\u0062"', '"constructor"', 'a'),
);
const { value: valueText } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    stringText,
    numberText,
    fc.constantFrom('true', 'false', 'null'),
    tie('object'),
    tie('array'),
  ),
  object: fc
    .array(fc.tuple(space, keyText, space, tie('value')), { maxLength: 4 })
    .map(
      (all) => `{${all.map(([before, key, after, value]) => `${before}${key}:${after}${value}`).join(',')}}`,
    ),
  array: fc
    .array(fc.tuple(tie('value'), space), { maxLength: 3 })
    .map((all) => `[${all.map((each) => each.join('')).join(',')}]`),
}));
const restText = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom('}', ',"next":{"page":"x"},"count":3}') },
  fc.constantFrom(
    ',"items":[]}',
    ',"items":[{"z":1}]}',
    ' ,"n":1}',
    ',}',
    '',
    '} ',
    '}}',
    ',"count":9007199254740993}',
  ),
  fc.constantFrom(',"x":[{"a":1},{"b":2}],"next":{}}', ',"more":"},{","next":{}}'),
);
const bodyText = fc
  .tuple(
    fc.oneof(
      { weight: 20, arbitrary: fc.constant('{"items":[') },
      fc.constantFrom('{ "items":[', '\ufeff{"items":['),
    ),
    fc.array(fc.tuple(valueText, space), { maxLength: 6 }),
    restText,
  )
  .map(([head, items, rest]) => `${head}${items.map((each) => each.join('')).join(',')}]${rest}`);

describe('a page that is printed as it came', () => {
  test('is printed as its values would be, whatever it holds', () => {
    let [taken, lists] = [0, 0];
    fc.assert(
      fc.property(bodyText, (body) => {
        const printed = printedBy(body);
        const lines = linesOf(body);
        if (printed !== undefined) lists += 1;
        if (lines === undefined) return;
        taken += 1;
        expect(printed?.rest).toEqual(lines.rest);
        expect(lines.count).toBe(printed?.items.length);
        const items = printed?.items ?? [];
        expect(textOf(lines.joined('[\n  ', ',\n  '))).toBe(`[\n  ${stringifyEach(items, ',\n  ')}`);
        expect(textOf(lines.lines())).toBe(`${stringifyEach(items, '\n')}\n`);
      }),
      { numRuns: runs(3000) },
    );
    expect(taken).toBeGreaterThan(lists / 10);
  });

  test('is each page that has nothing to escape, as JavaScript writes it', () => {
    const items = fc.array(fc.oneof(fc.object({ withBigInt: false }), fc.jsonValue()), { minLength: 1 });
    fc.assert(
      fc.property(items, (values) => {
        const body = JSON.stringify({ items: JSON.parse(JSON.stringify(values)), next: { page: 'x' } });
        expect(linesOf(body) === undefined).toBe(hasInvisible(body));
      }),
    );
  });

  test.each([
    ['bytes that are no UTF-8', Buffer.from('{"items":[{"a":"\xff"}]}', 'latin1')],
    ['nothing', ''],
    ['no items', '{"items":[]}'],
    [
      'items twice',
      `{"items":[${'{"a":"one of the first, which would be printed"},'.repeat(9)}{"a":1}],"items":[{"a":1}]}`,
    ],
    ['an envelope cut short', '{"items":[{"a":1}]'],
    ['too many levels', `{"items":[{"a":${'['.repeat(1000)}${']'.repeat(1000)}}]}`],
  ])('has no %s', (_, body) => {
    expect(linesOf(body)).toBeUndefined();
  });

  test('is no page of a few items, which is parsed as soon', () => {
    expect(linesOf('{"items":[{"a":1}]}', { room: new PageRoom() })).toBeUndefined();
  });

  test('leaves out what is beyond a limit', () => {
    const lines = linesOf('{"items":[{"a":1},{"a":2},{"a":3}],"count":3}');
    expect(lines?.cut(5)).toBe(3);
    expect(lines?.cut(2)).toBe(2);
    expect(textOf(lines?.joined('[', ', ') ?? Buffer.of())).toBe('[{"a":1}, {"a":2}');
    expect(textOf(lines?.lines() ?? Buffer.of())).toBe('{"a":1}\n{"a":2}\n');
    expect(lines?.cut(0)).toBe(0);
    expect(lines?.lines()).toHaveLength(0);
  });

  test('has nothing of the page that was in its room before', () => {
    const room = smallRoom();
    const long = `{"items":[${'{"a":"long"},'.repeat(100)}{}]}`;
    expect(linesOf(long, { room })?.count).toBe(101);
    expect(textOf(linesOf('{"items":[{"a":1}]}', { room })?.lines() ?? Buffer.of())).toBe('{"a":1}\n');
    expect(linesOf(long, { room })?.count).toBe(101);
  });
});

describe('a page that holds a secret', () => {
  const secret = 'docs_7Hq2/x+Zk9=Lw';
  const forms = [
    secret,
    `x${encodeURIComponent(secret)}`,
    `${secret.slice(0, 9)}","${secret.slice(9)}`,
    Buffer.from(`ab${secret}`).toString('base64'),
    Buffer.from(secret).toString('hex'),
    [...secret].join('\\n'),
  ];

  test('is not printed as it came, wherever and in whatever form it is there', () => {
    const redaction = new Redaction([secret]);
    const isSecret = (text: string) => redaction.mayBeIn(text);
    const place = fc.tuple(fc.nat({ max: 19 }), fc.nat({ max: 60 }), fc.constantFrom(...forms));
    fc.assert(
      fc.property(place, ([at, before, form]) => {
        const item = (text: string) => `{"title":"Zoë ${'x'.repeat(before)}","of":["${text}"]}`;
        const body = (text: string) =>
          `{"items":[${Array.from({ length: 20 }, (_, index) => item(index === at ? text : 'plain'))}]}`;
        expect(linesOf(body('plain'), { isSecret })).toBeDefined();
        expect(linesOf(body(form), { isSecret })).toBeUndefined();
      }),
    );
    expect(linesOf(`{"items":[{"a":1}],"next":{"page":"${secret}"}}`, { isSecret })).toBeUndefined();
  });

  test('is none where the secret itself has a brace, and so may go on in the next item', () => {
    const redaction = new Redaction(['pass},{word']);
    expect(linesOf('{"items":[{"a":1}]}', { isSecret: (text) => redaction.mayBeIn(text) })).toBeUndefined();
  });
});
