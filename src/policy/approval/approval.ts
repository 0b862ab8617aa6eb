import { canonical } from '../../jobs/held.js';

/**
 * One approval: somebody says about exactly one plan that it may be applied, under the policies that name their key.
 * It is a line of `<plan>.approvals`.
 */
export interface Approval {
  /** Version of the format. */
  approval: typeof approvalVersion;
  /** Id of the plan. */
  plan: string;
  /** Hash of the plan. */
  hash: string;
  /** As the policy has it. */
  email: string;
  /** ISO 8601. */
  when: string;
  /** The machine that it was given on. */
  host: string;
  /** Hashes of the policies that name the key for this email. */
  policies: readonly string[];
  /** Whether its giver saw the plan rehearsed, without a failure, on a copy of the organization. */
  rehearsed?: true;
  /** `SHA256:…` */
  key: string;
  /** As `ssh-keygen -Y sign` makes it, over the canonical JSON of all else. */
  signature: string;
}

export const approvalVersion = 1;

/** What is signed. */
export type Statement = Omit<Approval, 'signature'>;

export function statementBytes({ signature: _, ...statement }: Statement & { signature?: string }): Buffer {
  return Buffer.from(canonical(statement));
}
