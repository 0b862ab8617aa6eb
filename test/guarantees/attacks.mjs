/** What attacks on the guard left standing (guide/policy.md, guide/security.md, guide/agents.md). */

const mapping = (name, keeps, breaks) => ({
  name,
  file: 'src/policy/mapping.ts',
  keeps,
  breaks,
  tests: ['test/policy/decide'],
});
const approval = (name, keeps, breaks) => ({
  name,
  file: 'src/policy/approval/approvals.ts',
  keeps,
  breaks,
  tests: ['test/policy/approval/verify'],
});
const chain = (name, keeps, breaks) => ({
  name,
  file: 'src/policy/audit/verify.ts',
  keeps,
  breaks,
  tests: ['test/policy/audit/chain'],
});
const mcp = (name, keeps, breaks) => ({
  name,
  file: 'src/agents/mcp/guard.ts',
  keeps,
  breaks,
  tests: ['test/agents/mcp/guard'],
});
const child = (name, keeps, breaks) => ({
  name,
  file: 'src/base/child-process.ts',
  keeps,
  breaks,
  tests: ['test/base/child-process'],
});

export const guarantees = [
  mapping(
    'a raw request with ".." in its path is denied',
    "if (text === '.' || text === '..') return",
    "if (text === '.') return",
  ),
  mapping(
    'a raw request with a doubly encoded character is denied',
    '/%[\\da-f]{2}/i.test(text)',
    '/%25[\\da-f]{2}/i.test(text)',
  ),
  mapping(
    'a raw request with a semicolon in its path is denied',
    "segment.includes(';')",
    "segment.startsWith(';')",
  ),
  mapping(
    'a raw request with a control character in its path is denied',
    '/\\p{Cc}/u.test(text)',
    '/\\0/u.test(text)',
  ),
  mapping(
    'a raw request with a key twice in its query is denied',
    'query.getAll(key).length > 1',
    'query.getAll(key).length > 2',
  ),
  mapping(
    'a raw change with an unknown key in its query is denied',
    "op.method !== 'GET' || key.toLowerCase() === '_method'",
    "key.toLowerCase() === '_method'",
  ),
  mapping(
    'a raw read with another method in its query is denied',
    "op.method !== 'GET' || key.toLowerCase() === '_method'",
    "op.method !== 'GET'",
  ),
  mapping(
    'a raw request with another method in a header is denied',
    'if (changing.test(name))',
    "if (changing.test(name) && value === '')",
  ),
  mapping(
    'a raw request with a body that is not JSON is denied',
    "if (name === 'content-type' && ",
    "if (name === 'content-types' && ",
  ),
  mapping(
    'a raw request with an encoded body is denied',
    "if (name === 'content-encoding')",
    "if (name === 'content-encodings')",
  ),
  mapping(
    'a raw request with a body that the operation does not take is denied',
    'op.body === undefined && Object.keys(body).length > 0',
    'op.body === undefined && Object.keys(body).length > 9',
  ),
  approval('an approval is for one version of a plan', 'approval.hash !== hash || ', ''),
  approval(
    'an approval is by a key for the email that the policy names',
    'own.filter(({ email }) => sameEmail(email, approval.email))',
    'own',
  ),
  approval(
    'an approval is signed by its own key',
    'signature?.publicKey.equals(key.blob) === true',
    'signature !== undefined',
  ),
  approval('an approval is not given in the future', 'ageMs < -clockDoubtMs', 'ageMs < -1e15'),
  approval(
    'an approval counts no longer than --max-age',
    'Math.min(approve?.validMs ?? 0, maxAgeMs)',
    '(approve?.validMs ?? 0)',
  ),
  {
    name: 'an approval is signed whole',
    file: 'src/policy/approval/approvals.ts',
    keeps: 'Buffer.from(canonical(statement))',
    breaks: "Buffer.from(canonical({ ...statement, when: '' }))",
    tests: ['test/policy/approval/verify'],
  },
  {
    name: 'an approval has no other field than it is known to have',
    file: 'src/policy/approval/approvals.ts',
    keeps: '{ additionalProperties: false },',
    breaks: '',
    tests: ['test/policy/approval/verify'],
  },
  {
    name: 'a signature made for another purpose approves nothing',
    file: 'src/signing/ssh-signature.ts',
    keeps: `signature.namespace !== namespace || !['sha256', 'sha512'].includes(hash)) return false;`,
    breaks: `!['sha256', 'sha512'].includes(hash)) return false;\n  namespace = signature.namespace as Namespace;`,
    tests: ['test/policy/approval/verify'],
  },
  {
    name: 'a security key that nobody touched approves nothing',
    file: 'src/signing/ssh-signature.ts',
    keeps: '(hardware.flags & userPresent) === 0',
    breaks: 'hardware.flags < 0',
    tests: ['test/policy/approval/verify'],
  },
  {
    name: 'a plan with a key twice, or a number in another form, is refused',
    file: 'src/plans/file.ts',
    keeps: 'if (await isAsWritten(asFiled, bytes)) return [];',
    breaks: 'if (bytes.length > 0) return [];',
    tests: ['test/plans/misdescribed'],
  },
  chain(
    'audit verify notices that the number of a line was changed',
    ' || line.seq !== seq + 1) yield*',
    ') yield*',
  ),
  chain(
    'audit verify tells how many lines were removed',
    'yield* removed(last.seq + 1, line.seq - 1, last.number + 1);',
    '',
  ),
  chain(
    'audit verify notices a line that stands twice or too early',
    'if (line.seq <= last.seq) return yield added(link);',
    'if (line.seq <= last.seq) return;',
  ),
  chain(
    'audit verify notices what is no event',
    'yield added(link);\n      return;\n    }\n    yield changed(',
    'return;\n    }\n    yield changed(',
  ),
  {
    name: 'a plan that was applied is not applied again',
    file: 'src/plans/check.ts',
    keeps: 'if (claim !== undefined) return { claim, turn };',
    breaks:
      "if (claim !== undefined) return { claim: { plan: '', at: '', pid: 0, started: '', host: '' }, turn };",
    tests: ['test/agents/mcp/calls'],
    only: 'plan, apply once',
  },
  mcp('a tool of MCP reads no standard input', "file !== '-' && !isWrite", '!isWrite'),
  mcp(
    'a tool of MCP reads no file by @',
    "return word === '-' || word.startsWith('@') ? ",
    "return word === '-' ? ",
  ),
  mcp(
    'a tool of MCP reads no file by field=@',
    "if (reads === 'pair') return /^[^=]*=@(.*)$/s.exec(word)?.[1];",
    '',
  ),
  mcp(
    'a tool of MCP starts no other program',
    'if (command.passThrough) {',
    "if (command.passThrough && use === 'read') {",
  ),
  mcp(
    'a tool of MCP takes no secret',
    'if (option.secret && isTyped',
    "if (option.secret && use === 'read' && isTyped",
  ),
  mcp('a tool of MCP stays in the organization of its server', '  refuseOtherContext(held, line);\n', ''),
  {
    name: 'a tool of MCP follows no link out of --files',
    file: 'src/agents/mcp/guard.ts',
    keeps: 'const real = realPath(resolve(folder, path));',
    breaks: 'const real: string | undefined = resolve(folder, path);',
    tests: ['test/agents/mcp/guard'],
  },
  {
    name: 'a tool of MCP reads no folder with a link out of --files',
    file: 'src/agents/mcp/guard.ts',
    keeps: 'if (real === undefined || !contains(folder, real)) return false;\n    }',
    breaks: 'if (real === undefined) return false;\n    }',
    tests: ['test/agents/mcp/guard'],
  },
  child('what docs starts has not its token', 'isOwnSecret(name) || (', '('),
  child(
    'what docs starts has no secret of another program',
    '(!isDocs && otherSecret.test(name))',
    '(isDocs && otherSecret.test(name))',
  ),
  child(
    'what docs starts has not the password of a proxy',
    'isDocs || !proxy.test(name) ? value : withoutLogin(value)',
    'value',
  ),
  {
    name: 'a title in a completion commands no terminal',
    file: 'src/completion/refresh.ts',
    keeps: 'shortTitle(safeLine(title).trim())',
    breaks: 'shortTitle(title.trim())',
    tests: ['test/completion/ids'],
  },
  {
    name: 'a page of a report shows control and bidi characters',
    file: 'src/reports/write.ts',
    keeps: 'safeText(redactText(text))',
    breaks: 'redactText(text)',
    tests: ['test/reports/page', 'test/reports/write'],
  },
  {
    name: 'a page of a report has nothing that looks secret',
    file: 'src/reports/write.ts',
    keeps: 'safeText(redactText(text))',
    breaks: 'safeText(text)',
    tests: ['test/reports/page', 'test/reports/write'],
  },
  {
    name: 'a journal is readable by its owner alone',
    file: 'src/base/write-file.ts',
    keeps: 'open(path, flags, 0o600)',
    breaks: 'open(path, flags, 0o644)',
    tests: ['test/jobs/journal', 'test/jobs/run-job'],
  },
  {
    name: 'the audit chain is readable by its owner alone',
    file: 'src/base/write-file.ts',
    keeps: 'open(path, flags, 0o600)',
    breaks: 'open(path, flags, 0o644)',
    tests: ['test/policy/audit/chain'],
  },
  {
    name: 'the ledger of a budget is readable by its owner alone',
    file: 'src/base/write-file.ts',
    keeps: 'open(path, flags, 0o600)',
    breaks: 'open(path, flags, 0o644)',
    tests: ['test/policy/budget'],
  },
];
