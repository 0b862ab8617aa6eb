import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { childEnvironment, withheldFrom } from '../../src/base/child-process.js';

const kept = {
  PATH: '/bin',
  PWD: '/work',
  HOME: '/home/ann',
  DOCS_BASE_URL: 'https://api.example.com',
  DOCS_CREDENTIAL_STORE: 'file',
  XDG_SESSION_TYPE: 'wayland',
  SSH_AUTH_SOCK: '/run/agent',
  XAUTHORITY: '/home/ann/.Xauthority',
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus',
};
const secrets = { DOCS_TOKEN: 't', DOCS_API_KEY: 'k', DOCS_CLIENT_SECRET: 's', docs_password: 'p' };
const others = {
  GITHUB_TOKEN: 'g',
  AWS_SECRET_ACCESS_KEY: 'a',
  AWS_ACCESS_KEY_ID: 'i',
  STRIPE_KEY: 's',
  SIGNING_SECRET: 's',
  PGPASSWORD: 'p',
  npm_config__authToken: 'n',
};
const proxies = {
  HTTPS_PROXY: 'http://ann:pw@proxy:3128',
  http_proxy: 'ann:p@w@proxy:3128',
  npm_config_proxy: 'http://ann:pw@npm:3128',
  NO_PROXY: 'a@b',
};

describe('the environment of a child', () => {
  it('has no credentials: neither those of docs nor others, nor the login of a proxy', () => {
    expect(childEnvironment({ ...kept, ...secrets, ...others, ...proxies, GONE: undefined })).toEqual({
      ...kept,
      HTTPS_PROXY: 'http://proxy:3128',
      http_proxy: 'proxy:3128',
      npm_config_proxy: 'http://npm:3128',
      NO_PROXY: 'a@b',
    });
  });

  it('of docs itself has no credentials of docs', () => {
    const env = childEnvironment({ ...kept, ...secrets, ...others, ...proxies }, true);
    expect(env).toEqual({ ...kept, ...others, ...proxies });
  });

  it('lacks what a child that is docs itself gets on its standard input', () => {
    expect(withheldFrom({ ...kept, ...secrets, ...others, ...proxies })).toEqual({
      ...secrets,
      HTTPS_PROXY: proxies.HTTPS_PROXY,
      http_proxy: proxies.http_proxy,
      npm_config_proxy: proxies.npm_config_proxy,
    });
  });
});

it('is made in one place: no other file of the program can start a process', () => {
  const starts = /['"](?:node:)?(?:child_process|cluster)['"]|process\.binding|\.kill\([^)]*exec/;
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const starting = files.filter((name) => {
    const code = readFileSync(join('src', name), 'utf8').replaceAll(/^import type .*$/gm, '');
    return starts.test(code);
  });
  expect(starting).toEqual(['base/child-process.ts']);
});
