import { readdirSync, readFileSync } from 'node:fs';
import type { TSchema } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import type { AnyOperation } from '../../src/api/operation.js';
import type { Argument, Command, Option } from '../../src/cli/declare/command.js';
import { commandTree } from '../../src/cli/declare/outline.js';
import { checkOf, listOf } from '../../src/cli/run/ask-missing.js';
import { groups } from '../../src/commands/index.js';

/** What is asked for on a terminal where nothing was typed: each answer is chosen, or checked in place. */

const tree = await commandTree(groups);

interface Asked {
  /** `docs config set <value>` */
  label: string;
  command: Command;
  taker: Argument | Option;
}

const asked: Asked[] = tree.flatMap(({ path, command }) => {
  const named = (taker: Argument | Option, name: string): Asked[] =>
    taker.required ? [{ label: `docs ${path} ${name}`, command, taker }] : [];
  return [
    ...command.args.flatMap((arg) => named(arg, `<${arg.name}>`)),
    ...command.options.flatMap((option) => named(option, `--${option.name}`)),
  ];
});

const isChosen = ({ kind, kindIn, asTyped, choices, offers }: Argument | (Option & { kindIn?: string })) =>
  choices !== undefined || offers !== undefined || kindIn !== undefined || (kind !== undefined && !asTyped);

describe.each(asked)('$label', ({ command: { spec }, taker }) => {
  it('is chosen from a list, or its answer is checked in place', () => {
    const isByHand = spec === undefined;
    // The fields of operations are checked by their schemas; of several words, none is asked for.
    const isChecked = checkOf(taker) !== undefined || (!isByHand && taker.field !== undefined);
    expect(isChosen(taker) || isChecked || (isByHand && taker.variadic)).toBe(true);
  });
});

describe.each(asked.filter(({ command }) => command.spec !== undefined))('$label', ({ command, taker }) => {
  it('is chosen where its field has only some values', () => {
    const schemas = command.operations.flatMap((op) => schemaOf(op, taker.field ?? '') ?? []);
    expect(isChosen(taker) || !schemas.some(isEnumeration)).toBe(true);
  });
});

describe('Enter alone', () => {
  const sources = new URL('../../src/', import.meta.url);
  const texts = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, text: readFileSync(new URL(name, sources), 'utf8') }));

  it('answers No wherever yes or no is asked: there is one place that asks, and it takes no default', () => {
    const asking = texts.filter(({ text }) => text.includes('@inquirer/prompts'));
    expect(asking.map(({ name }) => name)).toEqual(['cli/resolve/prompts.ts']);
    const confirms = asking.flatMap(({ text }) => text.match(/prompts\.confirm\(\{[^}]*\}/g) ?? []);
    expect(confirms).toEqual(['prompts.confirm({ message, default: false }']);
  });

  const deleting = tree.filter(({ command: { spec, operations } }) => {
    return spec !== undefined && operations.some(({ method }) => method === 'DELETE');
  });
  it.each(deleting)('never deletes with docs $path, which asks after its list', ({ command }) => {
    expect(['confirm', 'type-title']).toContain(command.danger);
  });

  const closed = asked.filter(({ command, taker }) => command.spec !== undefined && taker.closed === true);
  it.each(closed)('chooses the least of $label where the present one is not known', ({ taker }) => {
    expect(listOf(taker as Option, undefined)).toMatchObject({ initial: taker.choices?.at(-1) });
    expect(listOf(taker as Option, taker.choices?.[0])).toMatchObject({ initial: taker.choices?.[0] });
  });
});

function schemaOf({ query, body }: AnyOperation, field: string): TSchema | undefined {
  return query.properties[field] ?? body?.properties?.[field];
}

function isEnumeration({ enum: values, type, anyOf }: TSchema): boolean {
  return (
    values !== undefined ||
    type === 'boolean' ||
    (anyOf as TSchema[] | undefined)?.some(isEnumeration) === true
  );
}
