import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { prepare } from '../api/client.js';
import { formatJson, parseJson } from '../api/transport/json-text.js';
import { conforms } from '../api/validate.js';
import { DocsError, localIoError, onDiskSync, systemCode, usageError } from '../base/errors.js';
import { sha256 } from '../base/hash.js';
import type { Io } from '../base/io.js';
import { checkOwnFolder, kindOf, makeFolders, openOwnFile } from '../base/own-files.js';
import { shellWord } from '../base/shell-word.js';
import { isObject } from '../base/values.js';
import { writeAskedFile } from '../files/asked-file.js';
import { shownPath, showReferences } from '../jobs/change.js';
import { operationOf } from '../jobs/operations.js';
import { counted } from '../output/text.js';
import { type Reason, refusal } from './check.js';
import { filed, hashOfPlan, isBodyFile } from './hash.js';
import type { Plan, PlanOperation } from './plan.js';
import { PlanSchema, planVersion } from './schema.js';

export { hashOfPlan } from './hash.js';

/** No plan is larger, in bytes: 10,000 operations are 20 MB. */
const largest = 256 * 1024 * 1024;

/**
 * Writes a plan (0600), atomically, with its bodies over 32 KB beside it as `<file>.bodies/<hash>`.
 * @param path relative to the working directory
 * @throws DocsError local-io
 */
export async function writePlan(io: Io, path: string, plan: Plan): Promise<void> {
  const file = resolve(io.cwd, path);
  await writeBodies(io, file, plan);
  await writeAskedFile(io, file, linesOf(plan));
}

async function writeBodies(io: Io, file: string, { operations }: Plan): Promise<void> {
  const folder = bodiesOf(file);
  for (const operation of operations) {
    const { body } = filed(operation);
    if (body === undefined) continue;
    onDiskSync(`cannot write ${folder}`, () => makeFolders(folder, 0o700));
    checkOwnFolder(folder);
    await writeAskedFile(io, join(folder, body.hash), body.text);
  }
}

function bodiesOf(file: string): string {
  return `${file}.bodies`;
}

/** The head, then one operation a line, so that versions of a plan can be compared. */
async function* linesOf({ operations, ...head }: Plan): AsyncGenerator<Uint8Array> {
  const entries = Object.entries(head).filter(([, value]) => value !== undefined);
  const lines = entries.map(([key, value]) => `  ${JSON.stringify(key)}: ${formatJson(value)},\n`);
  yield Buffer.from(`{\n${lines.join('')}  "operations": [`);
  const chunk = 256;
  for (let at = 0; at < operations.length; at += chunk) {
    const some = operations.slice(at, at + chunk).map((one) => `    ${formatJson(filed(one).operation)}`);
    yield Buffer.from(`${at === 0 ? '' : ','}\n${some.join(',\n')}`);
  }
  yield Buffer.from(operations.length === 0 ? ']\n}\n' : '\n  ]\n}\n');
}

/**
 * Reads a plan and checks that it is whole.
 * @throws DocsError usage `plan_edited`, `plan_misdescribed`, `plan_version`, `not_a_plan`; local-io
 */
export async function readPlan(io: Io, path: string): Promise<Plan> {
  const { plan, reasons } = await loadPlan(io, path);
  if (reasons.length > 0) throw refusal(reasons);
  return plan;
}

/** A plan, and why it is not as it was made. Nothing in it may be sent where there is a reason. */
export interface Loaded {
  plan: Plan;
  reasons: readonly Reason[];
  /** Why it must not even be shown: it says something else than it sends, whether it was edited or not. */
  untrue: readonly Reason[];
  /** The bytes of its file, as they were read. */
  bytes: Buffer;
}

/**
 * Reads a plan, also one that was edited or is of another version, so that all reasons can be told at once.
 * @throws DocsError usage `not_a_plan`; local-io
 */
export async function loadPlan(io: Io, path: string): Promise<Loaded> {
  const file = resolve(io.cwd, path);
  const bytes = bytesOf(io, path, file);
  const value = parsed(io, path, bytes);
  if (value.plan !== planVersion)
    return { plan: value as Plan, reasons: [otherVersion(path, value)], untrue: [], bytes };
  if (!conforms(PlanSchema, value)) throw notAPlan(io, path, 'it has not the fields of a plan');
  const edited: string[] = [];
  const filedPlan = value as Plan;
  const operations = filedPlan.operations.map((operation) => withBody(file, operation, edited));
  const plan = { ...filedPlan, operations };
  if (edited.length === 0 && hashOfPlan(plan) !== plan.hash)
    edited.push('its content does not match its hash');
  const odd = operations.find((operation) => !isAsShown(operation));
  if (odd !== undefined) edited.push(`operation ${odd.id} would send something other than it shows`);
  const reasons = edited.slice(0, 1).map((why) => ({
    code: 'plan_edited' as const,
    message: `The plan ${path} was edited after it was made: ${why}.`,
    hint: `docs plan show ${shellWord(path, io.platform)}`,
  }));
  // An edited plan may name operations that do not exist.
  const untrue = odd === undefined ? await misdescribed(path, plan, filedPlan, bytes) : [];
  return { plan, reasons: reasons.length > 0 ? reasons : untrue, untrue, bytes };
}

/** Faults that are told; the others are counted. */
const mostFaults = 3;

/** Why people who read the plan would read something else than the platform gets; empty where it is as docs writes it. */
async function misdescribed(path: string, plan: Plan, asFiled: Plan, bytes: Buffer): Promise<Reason[]> {
  const { misdescriptions } = await import('./misdescribed.js');
  const faults = misdescriptions(plan);
  const [first] = faults;
  const hint = 'docs plan --help';
  const code = 'plan_misdescribed';
  if (first !== undefined) {
    const more = faults.length - mostFaults;
    const told =
      faults.slice(0, mostFaults).join('; ') + (more > 0 ? `; and ${counted(more, 'more fault')}` : '');
    return [{ code, message: `The plan ${path} does not list its requests: ${told}.`, hint }];
  }
  if (await isAsWritten(asFiled, bytes)) return [];
  const message = `The plan ${path} is not as docs writes plans: its text has other line breaks, or keys twice.`;
  return [{ code, message, hint }];
}

/** Whether a file is byte for byte what docs writes, but for the line ends of a checkout on Windows. */
async function isAsWritten(plan: Plan, bytes: Buffer): Promise<boolean> {
  const own = bytes.includes('\r\n') ? Buffer.from(bytes.toString().replaceAll('\r\n', '\n')) : bytes;
  let at = 0;
  for await (const chunk of linesOf(plan)) {
    if (Buffer.compare(own.subarray(at, at + chunk.length), chunk) !== 0) return false;
    at += chunk.length;
  }
  return at === own.length;
}

function bytesOf(io: Io, path: string, file: string): Buffer {
  const fd = opened(io, path, file);
  try {
    const { size } = fs.fstatSync(fd);
    if (size > largest) throw notAPlan(io, path, `it has ${Math.round(size / 1024 / 1024)} MB`);
    return fs.readFileSync(fd);
  } catch (cause) {
    throw cause instanceof DocsError ? cause : localIoError(cause, `cannot read ${path}`);
  } finally {
    fs.closeSync(fd);
  }
}

function opened(io: Io, path: string, file: string): number {
  let fd: number | undefined;
  try {
    fd = openOwnFile(file);
  } catch (cause) {
    const found = fs.lstatSync(file, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) throw notAPlan(io, path, `it is ${kindOf(found)}`);
    throw localIoError(cause, `cannot read ${path}`);
  }
  if (fd === undefined)
    throw localIoError(Object.assign(new Error(), { code: 'ENOENT' }), `cannot read ${path}`);
  return fd;
}

function parsed(io: Io, path: string, bytes: Buffer): Record<string, unknown> {
  // A plan begins with a brace: the rest of a large file of another kind need not be parsed.
  const first = bytes.subarray(0, 64).toString('latin1').trimStart()[0];
  const found = first === '{' ? parseJson(bytes) : undefined;
  if (!found?.ok) throw notAPlan(io, path, 'it is not JSON, or was cut off');
  if (!isObject(found.value) || typeof found.value.plan !== 'number')
    throw notAPlan(io, path, 'its JSON is something else');
  return found.value;
}

function notAPlan(io: Io, path: string, why: string): DocsError {
  const hint = `ls -l ${shellWord(dirname(path), io.platform)}`;
  return usageError('not_a_plan', `${path} is not a plan: ${why}; nothing was sent`, { hint });
}

function otherVersion(path: string, { plan, version }: Record<string, unknown>): Reason {
  const by = typeof version === 'string' ? ` by docs ${version}` : '';
  const message = `The plan ${path} was written${by} in format ${plan}; this version reads format ${planVersion}.`;
  return { code: 'plan_version', message, hint: 'docs --version' };
}

/** An operation with its body, which may stand beside the plan. @param edited what is wrong is added here */
function withBody(file: string, operation: PlanOperation, edited: string[]): PlanOperation {
  const { request } = operation;
  if (request === undefined || !isBodyFile(request.body)) return operation;
  const { $body: hash } = request.body;
  const text = /^[0-9a-f]{64}$/.test(hash) ? bodyText(join(bodiesOf(file), hash)) : undefined;
  const body = text && sha256(text) === hash ? parseJson(text) : undefined;
  if (body?.ok) return { ...operation, request: { ...request, body: body.value } };
  edited.push(`the body of operation ${operation.id} in ${bodiesOf(file)} is missing or was changed`);
  return operation;
}

function bodyText(path: string): Buffer | undefined {
  try {
    checkOwnFolder(dirname(path));
    const fd = openOwnFile(path);
    if (fd === undefined) return undefined;
    try {
      return fs.fstatSync(fd).size > largest ? undefined : fs.readFileSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  } catch (cause) {
    if (cause instanceof DocsError || systemCode(cause) !== undefined) return undefined;
    throw cause;
  }
}

/** Whether method and path, which people read, are those of what would be sent. */
function isAsShown({ request }: PlanOperation): boolean {
  if (request === undefined) return true;
  try {
    const op = operationOf(request.operation);
    const path = showReferences(request.parameters) as Record<string, string>;
    return request.method === op.method && request.path === shownPath(prepare(op, { path }).path);
  } catch (cause) {
    if (cause instanceof DocsError) return false;
    throw cause;
  }
}
