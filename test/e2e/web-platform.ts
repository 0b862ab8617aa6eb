import { type StubPlatform, stubPlatform } from './stub-platform.js';

/** A platform whose resources have an address for people. */
export interface WebPlatform extends StubPlatform {
  app: string;
}

const paths =
  /^\/v1\/(spaces\/s1|orgs\/o1(\/(sites|collections|openapi)\/x1)?|spaces\/s1\/change-requests\/x1)$/;

export async function webPlatform(): Promise<WebPlatform> {
  const platform = await stubPlatform((_, { pathname }) => {
    const { app } = web;
    return paths.test(pathname)
      ? { body: { object: 'thing', id: pathname.split('/').at(-1), title: 'A title', urls: { app } } }
      : undefined;
  });
  const web = Object.assign(platform, { app: `${platform.url}/app/s1` });
  return web;
}
