import { type DocsError, usageError } from '../base/errors.js';

/** Why a plan is refused, the gravest first; the first one that holds is the code of the error. */
export const reasonCodes = [
  'plan_applied',
  'plan_edited',
  'plan_misdescribed',
  'plan_foreign',
  'plan_version',
  'plan_expired',
  'plan_unapproved',
  'plan_self_approved',
  'plan_policy_changed',
  'env_unset',
  'env_changed',
] as const;
export type ReasonCode = (typeof reasonCodes)[number];

export interface Reason {
  code: ReasonCode;
  /** A sentence. */
  message: string;
  /** One command to run next. */
  hint: string;
}

/** All reasons as one error (exit 2): nothing was sent. @param reasons at least one */
export function refusal(reasons: readonly Reason[]): DocsError {
  const sorted = [...reasons].sort((a, b) => reasonCodes.indexOf(a.code) - reasonCodes.indexOf(b.code));
  const [first = { code: 'plan_edited', message: '', hint: '' }] = sorted;
  const message = `${sorted.map((one) => one.message).join(' ')} Nothing was sent.`;
  return usageError(first.code, message, {
    hint: first.hint,
    details: { reasons: sorted.map(({ code, message: why, hint }) => ({ code, message: why, hint })) },
  });
}
