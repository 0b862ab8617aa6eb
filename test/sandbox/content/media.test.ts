import { expect, it } from 'vitest';
import { contentTypeOf } from '../../../src/sandbox/content/view.js';

/** The content types that files are served with. */

it.each([
  ['site.css', 'text/css'],
  ['Plan.PDF', 'application/pdf'],
  ['photo.jpg', 'image/jpeg'],
  ['photo.jpeg', 'image/jpeg'],
  ['api.v2.yaml', 'application/yaml'],
  ['logo.svg', 'image/svg+xml'],
  ['notes.unknown', 'application/octet-stream'],
  ['constructor.constructor', 'application/octet-stream'],
  ['Makefile', 'application/octet-stream'],
])('%s is %s', (name, type) => {
  expect(contentTypeOf(name)).toBe(type);
});
