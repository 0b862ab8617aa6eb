import { pathParameters } from '../../api/operation-facts.js';
import { isTypedId } from '../../base/ids.js';
import { type Command, camel, type ManualInput } from '../declare/command.js';
import { contextFlags } from '../declare/global-flags.js';
import type { CommandOutline } from '../declare/outline.js';
import { recordMade } from '../declare/read-record.js';
import type { Session } from '../declare/session.js';
import { assemble } from './assemble.js';
import type { ChangeRecord } from './change-record.js';
import { changeByOperation } from './operation-proposal.js';
import { refuseContradictions, refuseUnfitOutput, tellsSentence } from './output.js';

/** A change that runs from its record (change-record.ts), by the same steps as any other. */

export function changeRecordAt(path: string, outline: CommandOutline | Command): Promise<ChangeRecord> {
  return recordMade(path, async () => {
    const { changeRecordOf } = await import('./change-record.js');
    // Of the sources, the outline of a command is the command.
    return 'spec' in outline ? changeRecordOf(outline) : undefined;
  });
}

/** @returns undefined where more than the record is needed: the whole declaration */
export function recordedChange(
  session: Session,
  outline: CommandOutline,
  record: ChangeRecord,
  input: ManualInput,
): (() => Promise<unknown>) | undefined {
  if (!isAlone(session, input) || !suffices(session, outline, record, input)) return undefined;
  const { name, aliases, summary, examples, danger, args, options } = outline;
  const { operations, views, spec } = record;
  const own = { ...spec, name, examples: {}, operation: operations };
  const told = { name, aliases, summary, examples, danger, args, options };
  const command: Command = { ...told, operations, exits: [], views, spec: own };
  return async () => {
    refuseContradictions(session);
    await refuseUnfitOutput(session, command);
    return changeByOperation(session, command, await assemble(session, command, input), input);
  };
}

/** Whether nothing else decides about the change, nobody is asked, and no sentence is said of it. */
function isAlone(session: Session, input: ManualInput): boolean {
  const { gate, savePlan, settings, interactive, globals } = session;
  if ((gate ?? savePlan ?? settings.rehearsal ?? input.literal) !== undefined) return false;
  return (!interactive || globals.yes === true) && !tellsSentence(session, input);
}

/** Whether one id of each kind was typed, flags of fields that are sent as they are, and all that is required. */
function suffices(
  { attended, settings }: Session,
  { args, options }: CommandOutline,
  { operations, widening }: ChangeRecord,
  input: ManualInput,
): boolean {
  const isId = (typed: unknown) => isTypedId(typed, attended);
  const inPaths = operations.flatMap(({ path }) => pathParameters(path));
  const isMeant = args.every(({ name, field = '', kind, required, otherKinds }) => {
    const typed = [input.args[name] ?? []].flat();
    if (typed.length !== 1) return typed.length === 0 && !required;
    const isText = kind === undefined && !inPaths.includes(field);
    return isText || (otherKinds === undefined && typed.every(isId));
  });
  const isSent = options.every(({ name, field, kind, otherKinds, required, parsed, boolean }) => {
    const typed = input.options[camel(name)];
    if (typed === undefined) return !required;
    if (field === undefined) return boolean === 'only-no' && typed === true;
    if (parsed || otherKinds !== undefined || widening.includes(field.split('.')[0] ?? '')) return false;
    return kind === undefined || [typed].flat().every(isId);
  });
  const given = args.filter(({ name }) => input.args[name] !== undefined).map(({ field }) => field);
  const isKnown = (parameter: string) => {
    const flag = Object.entries(contextFlags).find(([field]) => field === parameter)?.[1];
    const parent = flag === undefined || flag === 'change-request' ? undefined : settings[flag];
    return given.includes(parameter) || parent !== undefined;
  };
  return isMeant && isSent && operations.some(({ path }) => pathParameters(path).every(isKnown));
}
