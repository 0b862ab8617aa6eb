import type { TSchema } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import type { Option } from '../../../src/cli/declare/command.js';
import { commandTree } from '../../../src/cli/declare/outline.js';
import { groups } from '../../../src/commands/index.js';
import { opened } from '../../opened.js';
import type { SomeOf } from '../../some-of.js';
import { besideGuard, startRecordingPlatform } from './recording-platform.js';
import { requestCase } from './request-cases.js';

/** Values at the edges of a schema, and beyond them. */
function edges(schema: TSchema): { inside: string[]; outside: string[] } {
  const { minLength, maxLength, minimum, maximum, pattern, format } = schema as Record<
    string,
    number | undefined
  >;
  if (schema.enum !== undefined) return { inside: schema.enum as string[], outside: ['no-such-value'] };
  if (maximum !== undefined)
    return { inside: [`${minimum}`, `${maximum}`], outside: [`${(minimum ?? 0) - 1}`, `${maximum + 1}`] };
  // Texts of a pattern have no length of their own choosing; test/api/limits.test.ts holds those.
  if (pattern !== undefined) return { inside: [], outside: ['NOT OK!'] };
  const text = (length: number) =>
    format === undefined ? 'x'.repeat(length) : `https://x.example/${'x'.repeat(length - 18)}`;
  return {
    inside: [
      ...(minLength && format === undefined ? [text(minLength)] : []),
      ...(maxLength ? [text(maxLength)] : []),
    ],
    outside: [
      ...(minLength && format === undefined ? [text(minLength - 1)] : []),
      ...(maxLength ? [text(maxLength + 1)] : []),
      ...(format === undefined ? [] : ['not a url']),
    ],
  };
}

function hasLimits(option: Option): option is Option & { schema: TSchema } {
  if (option.schema === undefined || option.parse !== undefined || option.boolean !== undefined) return false;
  return edges(option.schema).outside.length > 0;
}

const cases = (await commandTree(groups))
  .filter(({ command }) => command.spec !== undefined)
  .flatMap(({ path, command }) =>
    command.options.filter(hasLimits).flatMap((option) => {
      const op = command.operations.find(
        ({ query, body, returns }) =>
          query.properties[option.field ?? ''] !== undefined ||
          body?.properties?.[option.field?.split('.')[0] ?? ''] !== undefined ||
          (option.name === 'page-size' && returns.kind === 'page'),
      );
      if (op === undefined) return [];
      return [
        {
          name: `docs ${path} --${option.name}`,
          command,
          option,
          op,
          words: requestCase(path, command, op, 'least').words,
        },
      ];
    }),
  );

/** What decides which values a flag takes, and where they are sent. */
const kindOf = ({ option: { schema, field, name, variadic }, op }: (typeof cases)[number]) =>
  JSON.stringify([schema, variadic, op.query.properties[field ?? name] !== undefined]);

/**
 * Each limit of a flag: what is at its edge is sent, what is beyond is exit 2 with nothing sent.
 * @param pick which flags are tried
 */
export function holdLimits(pick: SomeOf): void {
  const platform = opened(startRecordingPlatform);

  describe('limits', () => {
    it('are found for many flags', () => {
      expect(cases.length).toBeGreaterThan(60);
    });

    it('are held against before the platform is asked for an id', async () => {
      const words = ['spaces', 'update', 'guide', '--by-title', '--title', 'x'.repeat(51)];
      const { code, stderr, sent } = await platform.run(words, { status: 200, body: { items: [] } });
      expect({ code, sent }).toEqual({ code: 2, sent: [] });
      expect(stderr).toContain('--title must');
    });

    it.each(pick(cases, kindOf))('$name', async ({ command, option, op, words }) => {
      const answer = { status: 200, body: op.returns.kind === 'page' ? { items: [] } : {} };
      const created = typeof op.success === 'number' ? op.success : op.success[0];
      const { inside, outside } = edges(option.schema);
      for (const value of inside) {
        const ran = await platform.run([...words, `--${option.name}=${value}`], {
          ...answer,
          status: created,
        });
        expect({
          value,
          code: ran.code,
          stderr: ran.code === 0 ? '' : ran.stderr,
          sent: besideGuard(command, ran.sent).length,
        }).toMatchObject({ value, code: 0, stderr: '', sent: 1 });
      }
      for (const value of outside) {
        const ran = await platform.run([...words, `--${option.name}=${value}`], answer);
        expect({ value, code: ran.code, sent: ran.sent }).toEqual({ value, code: 2, sent: [] });
        expect(ran.stderr).toContain(`--${option.name} must`);
      }
    });
  });
}
