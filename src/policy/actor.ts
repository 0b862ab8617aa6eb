import { agentOf, ciOf } from '../base/callers.js';
import { isPrintableAscii } from '../base/characters.js';
import type { Io } from '../base/io.js';
import { redactText } from '../base/redaction.js';
import { defined } from '../base/values.js';
import type { Actor } from '../jobs/actor.js';
import type { Settings } from '../settings/settings.js';
import { memberName } from '../settings/settings-file.js';

export type { Actor } from '../jobs/actor.js';

/** What else a session knows of who acts. */
export interface ActorFacts extends Omit<Actor, 'kind' | 'name' | 'via'> {
  /** Where the profile says whose its token is. */
  settings?: Pick<Settings, 'stored' | 'sandbox'>;
}

/** The longest name that is kept, in characters. */
const longest = 200;

/**
 * Who runs a command: an agent by its known variables, or where `client` names one; CI by its own; else a person. A
 * person is named by the signed-in member, unless DOCS_TOKEN, whose owner nothing tells, takes its place.
 */
export function actorOf(io: Pick<Io, 'env'>, { settings, ...facts }: ActorFacts = {}): Actor {
  const agent = facts.client ?? agentOf(io);
  const ci = ciOf(io);
  const more = defined({ ...facts, rule: cleaned(facts.rule), approval: cleaned(facts.approval) });
  const person = personOf(io, settings);
  const via = facts.client === undefined ? undefined : ('mcp' as const);
  if (agent !== undefined)
    return { kind: 'agent', name: person, ...more, ...defined({ client: cleaned(agent), via }) };
  if (ci !== undefined) return { kind: 'ci', name: ci, ...more };
  return { kind: 'person', name: person, ...more };
}

function personOf({ env }: Pick<Io, 'env'>, settings: ActorFacts['settings']): string {
  const isOwn = settings?.sandbox !== true && (env.DOCS_TOKEN ?? '') === '';
  const member = isOwn ? settings?.stored?.credential?.member : undefined;
  return cleaned(member && memberName(member)) || cleaned(userOf(env)) || 'unknown';
}

/** The user as the system knows it, who stays the same; asking takes some twenty system calls. */
let systemUser: string | undefined;

/** The user of this machine. */
function userOf(env: Io['env']): string | undefined {
  const named = env.USER || env.USERNAME || env.LOGNAME;
  if (named) return named;
  try {
    systemUser ??= process.getBuiltinModule('node:os').userInfo().username;
  } catch {
    // The system has no entry for this user.
  }
  return systemUser;
}

/** Without what looks secret, and without what moves a cursor or hides text. */
function cleaned(text: string | undefined): string | undefined {
  if (!text) return text;
  const visible = isPrintableAscii(text) ? text : text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ');
  return redactText(visible.trim()).slice(0, longest);
}
