import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { localIoError, systemCode, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';

/**
 * `docs policy init`: writes a policy to start from.
 * @throws DocsError usage `missing_flag`, `file_exists`; local-io
 */
export async function initPolicy(
  session: Session,
  file: string,
  { readOnly, reviewed }: ManualInput['options'],
) {
  const { io, globals, printer } = session;
  const word = shellWord(file, io.platform);
  if (readOnly !== true && reviewed !== true)
    throw usageError('missing_flag', 'choose a policy to start from: --read-only or --reviewed', {
      hint: `docs policy init --read-only${file === 'policy.yaml' ? '' : ` ${word}`}`,
    });
  const text = readOnly === true ? readOnlyPolicy : reviewedPolicy;
  if (globals.dryRun) {
    await printer.text(text);
    return printer.note(`Dry run: ${file} is shown above; nothing was written.`);
  }
  await writeNew(resolve(io.cwd, file), file, text);
  const sentence = `✓ Wrote ${file}. "docs policy explain ${word}" shows what it allows; --policy ${word} puts it in force.`;
  await printer.done({ id: file, status: 'written', file: resolve(io.cwd, file) }, sentence);
}

async function writeNew(path: string, typed: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (cause) {
    if (systemCode(cause) !== 'EEXIST') throw localIoError(cause, `cannot write ${typed}`);
    throw usageError('file_exists', `${typed} already exists; nothing was written. Choose another name.`, {
      hint: `docs policy explain ${shellWord(typed, process.platform)}`,
    });
  }
}

/** The policies of `docs policy init`. */

const grammar = `# A rule is the words of a command, where * is any word and a last * one or more
# words, then attributes of the request: "members update role=admin".
# danger=confirm and undo=none depend on the command, exposes=any on the request:
# a role, a publication, a way to join. deny wins over ask, and ask over allow. To test a command: docs policy test -- <command>
`;

const limits = `# How much may change; deletions count as writes, too.
# budget: { writes: 20/run, deletes: 5/day }

# Only these organizations, by id.
# orgs: []

# Never changed or deleted, by id, title or email.
# protect: ["site:docs", "team:admins"]
`;

const readOnlyPolicy = `# What docs may do: only read.
${grammar}
version: 1
default: deny

# Every request that only reads, and commands that write only new output
# files. "files" replaces files, "programs" runs editors, pagers and scripts.
allow: [read]

# deny: ["members *"]

# If you allow changes, too: those that give a role, publish, or let people join
# only through a plan that someone has approved.
# ask: ["* exposes=any"]

${limits}`;

const reviewedPolicy = `# What docs may do: read, and change what a person has approved.
${grammar}
version: 1
default: deny

# Every request that only reads, and commands that write only new output
# files, so also --save-plan. "files" replaces files, "programs" runs editors,
# pagers and scripts.
allow: [read]

# Only through a plan approved by someone under "approve". To ask less often,
# remove "*" and allow what you need; the other three still ask.
ask:
  - "*"
  - "* danger=confirm"
  - "* undo=none"
  - "* exposes=any"

# Not even with an approval.
deny:
  - members update role=admin
  - orgs update
  - saml create
  - saml update
  - saml delete

# Who may approve, by SSH public key. Until someone is named, nothing can be
# changed.
# approve:
#   valid: 24h
#   by:
#     - { email: ada@acme.example, key: "ssh-ed25519 AAAA..." }

${limits}`;
