import { DocsError, type Failure } from '../base/errors.js';
import type { Gate } from './gate.js';
import type { Verdict } from './policy.js';

/** What a person or a program is told of a denial. */

export interface Told {
  /** The same command as a plan, which is allowed where the change asks for an approval. */
  withPlan?: string | undefined;
  /** Why the audit chain has no line of it. */
  unrecorded?: DocsError | undefined;
}

/** @param what is denied: `docs spaces delete`, `DELETE /v1/spaces/x` */
export function denialOf(
  verdict: Exclude<Verdict, { is: 'allow' }>,
  what: string,
  { withPlan, unrecorded }: Told,
): DocsError {
  const { file, line, rule } = verdict.by;
  const why = verdict.is === 'ask' ? 'it requires an approved plan' : verdict.why;
  const hint = verdict.is === 'ask' && withPlan !== undefined ? withPlan : 'docs policy explain';
  const lost = unrecorded === undefined ? '' : ` The denial was not recorded: ${unrecorded.message}`;
  // A command is asked about before anything of it is sent; a request, when others may have been.
  const unsent = what.startsWith('docs ') ? 'nothing was sent' : 'it was not sent';
  const message = `Policy denies ${what}: ${why} (${JSON.stringify(rule)}, ${file}:${line}); ${unsent}.${lost}`;
  const failure: Failure = { outcome: 'not-sent', hint, details: { file, line, rule, verdict: verdict.is } };
  return new DocsError('forbidden', 'policy_denied', message, failure);
}

/** The gate while a policy is invalid: for the commands that are needed to repair it, which send nothing then. */
export function closedGate(invalid: DocsError): Gate {
  const refuse = async (): Promise<never> => {
    throw invalid;
  };
  return {
    policies: [],
    command: async () => {},
    job: refuse,
    request: refuse,
    verdict: refuse,
    asking: async () => [],
    close: async () => {},
  };
}
