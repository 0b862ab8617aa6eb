import type { FastifyInstance } from 'fastify';

/** Finds the methods of the routes that match a path, in the order they were added. */
export type MethodsOf = (path: string) => string[];

/** Records the routes that are added from now on. */
export function recordRoutes(app: FastifyInstance): MethodsOf {
  const routes: { methods: string[]; path: RegExp }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    const segments = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : escaped(part)));
    routes.push({ methods: [method].flat(), path: new RegExp(`^${segments.join('/')}$`) });
  });
  return (path) => {
    const found = routes.filter((route) => route.path.test(path)).flatMap(({ methods }) => methods);
    return [...new Set(found)];
  };
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
