import fs from 'node:fs';
import { appendTo } from '../../base/append-log.js';
import { DocsError } from '../../base/errors.js';
import { openOwnFile } from '../../base/own-files.js';
import { localIoError } from '../../base/system-errors.js';
import { isObject } from '../../base/values.js';
import { type Approval, approvalVersion } from './approval.js';

/** The approvals of a plan: `<plan>.approvals`, one JSON object a line, added and never changed. */

/** Further bytes are not read: a thousand approvals are about 900 KB. */
const largest = 1024 * 1024;
/** A longer line is no approval, in characters: one of an RSA key of 16,384 bits has 6,000. */
const longestLine = 16 * 1024;

/** What an approvals file holds. */
export interface Approvals {
  all: readonly Approval[];
  /** Lines that are not approvals: torn, of a later version, or something else. */
  unreadable: number;
}

export function approvalsPath(plan: string): string {
  return `${plan}.approvals`;
}

/**
 * @param plan path of the plan, absolute
 * @returns the text; empty where nobody has approved
 * @throws DocsError configuration `unsafe_path`; local-io
 */
export function readApprovals(plan: string): string {
  const path = approvalsPath(plan);
  try {
    const fd = openOwnFile(path);
    if (fd === undefined) return '';
    try {
      const bytes = Buffer.alloc(Math.min(fs.fstatSync(fd).size, largest));
      return bytes.subarray(0, fs.readSync(fd, bytes, 0, bytes.length, 0)).toString('utf8');
    } finally {
      fs.closeSync(fd);
    }
  } catch (cause) {
    throw cause instanceof DocsError ? cause : localIoError(cause, `Cannot read ${path}`);
  }
}

/**
 * Adds an approval, by one write at the end of the file: of two that are given at once both stay. The line begins
 * with a line break, so that one that was torn before it spoils nothing.
 * @param plan path of the plan, absolute
 * @throws DocsError configuration `unsafe_path`; local-io
 */
export async function addApproval(plan: string, approval: Approval): Promise<void> {
  const path = approvalsPath(plan);
  try {
    await appendTo(path, async (log) => {
      const { size } = await log.stat();
      await log.appendFile(`${size === 0 ? '' : '\n'}${JSON.stringify(approval)}\n`);
    });
  } catch (cause) {
    throw cause instanceof DocsError ? cause : localIoError(cause, `Cannot write ${path}`);
  }
}

/** Reads approvals, whatever the text is. */
export function parseApprovals(text: string): Approvals {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const all = lines.flatMap((line) => approvalIn(line) ?? []);
  return { all, unreadable: lines.length - all.length };
}

const texts = ['plan', 'hash', 'email', 'when', 'host', 'key', 'signature'] as const;
const keys = new Set<string>(['approval', 'policies', 'rehearsed', ...texts]);

function approvalIn(line: string): Approval | undefined {
  if (line.length > longestLine) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined; // Torn, or something else.
  }
  if (!isObject(value) || value.approval !== approvalVersion) return undefined;
  const { policies, when, rehearsed = true } = value;
  const fits =
    Object.keys(value).every((key) => keys.has(key)) &&
    texts.every((key) => typeof value[key] === 'string') &&
    rehearsed === true &&
    Array.isArray(policies) &&
    policies.every((hash) => typeof hash === 'string') &&
    /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(String(when)) &&
    !Number.isNaN(Date.parse(String(when)));
  return fits ? (value as unknown as Approval) : undefined;
}
