import { stands } from '../../../src/cli/declare/define.js';
import { certificates } from '../../sandbox/certificates.js';

const spec = (version: string): string =>
  [
    'openapi: 3.0.3',
    `info: { title: Petstore, version: "${version}" }`,
    'paths: { /pets: { get: { summary: List pets, responses: { "200": { description: OK } } } } }',
    '',
  ].join('\n');
const id = (word: string): string => stands[word] ?? word;

/** What the examples read, by name in the working folder; `~` is the home folder. */
export const files: Readonly<Record<string, string>> = {
  'leavers.csv': `user\n${id('u2')}\n`,
  'teams.csv': `team,user,role\n${id('t1')},${id('u2')},owner\n`,
  'renames.csv': `team,title\n${id('t1')},Technical writers\n`,
  'users.csv': `email\nada@acme.example\n${id('u1')}\n${id('u2')}\n`,
  'spaces.txt': `${id('s1')}\n${id('s2')}\n`,
  'idp.pem': certificates.partners,
  'new.pem': certificates.partners,
  'review.md': 'Please check the **first** step.\n',
  'claims.json': '{ "beta": true }\n',
  'petstore.yaml': spec('1.0'),
  'acme.example/petstore.yaml': spec('1.0'),
  'acme.example/v2.yaml': spec('2.0'),
  'acme.example/docs/index.html': '<html><body><main><h1>Docs</h1><p>Hello.</p></main></body></html>',
  'offboard.sh': '#!/bin/sh\nexec docs members list\n',
  'nightly.sh': '#!/bin/sh\ntest -n "$DOCS_TOKEN"\n',
};
