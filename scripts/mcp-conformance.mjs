// Runs the official conformance suite of MCP against `docs mcp serve --http`, every scenario for servers. It fails
// where one fails that applies, and where one passes that is listed as not applying. Needs the build, a network for
// npm, and Node 22 or later, which the suite needs (fs.globSync); docs itself runs on Node 20.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const suite = '@modelcontextprotocol/conformance@0.1.16';

const demoTool = 'asks for a tool of its own demonstration server';
const demoResource = 'asks for a resource of its own demonstration server';
const noPrompts = 'asks for prompts, which docs does not have: the server does not declare the capability';
/** Scenarios that do not apply, each with the reason. The stateless protocol and stdio are not in the suite. */
const notApplying = {
  'logging-set-level':
    'asks for logging, which the server does not declare: notes of a command are in its answer',
  'completion-complete': 'asks for completion, which the server does not declare: docs_find finds commands',
  'tools-call-simple-text': demoTool,
  'tools-call-image': demoTool,
  'tools-call-audio': demoTool,
  'tools-call-embedded-resource': demoTool,
  'tools-call-mixed-content': demoTool,
  'tools-call-with-logging': demoTool,
  'tools-call-error': demoTool,
  'tools-call-with-progress': demoTool,
  'tools-call-sampling': demoTool,
  'tools-call-elicitation': demoTool,
  'json-schema-2020-12': demoTool,
  'elicitation-sep1034-defaults': demoTool,
  'elicitation-sep1330-enums': demoTool,
  'resources-read-text': demoResource,
  'resources-read-binary': demoResource,
  'resources-templates-read': demoResource,
  'resources-subscribe':
    'asks for subscriptions, which the server does not declare: its resources do not change',
  'resources-unsubscribe':
    'asks for subscriptions, which the server does not declare: its resources do not change',
  'prompts-list': noPrompts,
  'prompts-get-simple': noPrompts,
  'prompts-get-with-args': noPrompts,
  'prompts-get-embedded-resource': noPrompts,
  'prompts-get-with-image': noPrompts,
};

if (Number(process.versions.node.split('.')[0]) < 22) {
  console.error(`${suite} needs Node 22 or later; this is ${process.version}.`);
  process.exit(1);
}

const home = mkdtempSync(join(tmpdir(), 'docs-conformance-'));
const docs = spawn(process.execPath, ['bin/docs.js', 'mcp', 'serve', '--http', '--sandbox'], {
  env: { HOME: home, PATH: process.env.PATH, DOCS_CREDENTIAL_STORE: 'file' },
  stdio: ['ignore', 'inherit', 'pipe'],
});
try {
  const { url, token } = await started(docs);
  const proxy = await withToken(url, token);
  try {
    process.exitCode = (await judged(proxy.url)) ? 0 : 1;
  } finally {
    proxy.close();
  }
} finally {
  docs.kill('SIGTERM');
  await once(docs, 'exit');
  rmSync(home, { recursive: true, force: true });
}

/** Runs all scenarios. Returns whether each went as it should. */
async function judged(url) {
  const { stdout } = await conformance(['list']);
  const [servers] = stdout.split('Client scenarios');
  const names = [...servers.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
  const faults = Object.keys(notApplying)
    .filter((name) => !names.includes(name))
    .map((name) => `${name} is listed as not applying, and is not in the suite`);
  let passed = 0;
  for (const name of names) {
    const { code, stdout: told, stderr } = await conformance(['server', '--url', url, '--scenario', name]);
    const isListed = Object.hasOwn(notApplying, name);
    if (code === 0) passed += 1;
    if (code === 0 && isListed) faults.push(`${name} passes, and is listed as not applying`);
    if (code !== 0 && !isListed) faults.push(`${name} fails:\n${told}${stderr}`);
    const how = code === 0 ? 'passes' : isListed ? `does not apply: ${notApplying[name]}` : 'FAILS';
    console.log(`${name}: ${how}`);
  }
  for (const fault of faults) console.error(fault);
  console.log(`${names.length} scenarios: ${passed} pass, ${Object.keys(notApplying).length} do not apply.`);
  return names.length > 0 && faults.length === 0;
}

async function conformance(words) {
  const child = spawn('npm', ['exec', '--yes', '--package', suite, '--', 'conformance', ...words], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const told = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (text) => {
      told[name] += text;
    });
  const [code] = await once(child, 'close');
  return { code, ...told };
}

/** The address and the token, which the server prints as it starts. */
async function started({ stderr }) {
  const found = {};
  for await (const line of createInterface({ input: stderr })) {
    found.url ??= /^Listening on (\S+)$/.exec(line)?.[1];
    found.token ??= /^Token: (\S+)$/.exec(line)?.[1];
    if (found.url !== undefined && found.token !== undefined) return found;
  }
  throw new Error('docs mcp serve did not start.');
}

/** The suite sends no token: this adds it and passes all else on as it is, the headers Host and Origin too. */
async function withToken(target, token) {
  const { port, pathname } = new URL(target);
  const server = createServer((incoming, response) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const { method } = incoming;
    const sent = request({ host: '127.0.0.1', port, path: pathname, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    sent.on('error', () => response.destroy());
    response.on('close', () => sent.destroy());
    incoming.pipe(sent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
