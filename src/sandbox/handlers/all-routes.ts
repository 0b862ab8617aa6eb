import { operations } from '../../api/resources/index.js';
import { modules, type ResourceModule } from './index.js';

export type FileName = keyof typeof modules;

export interface RouteRecord {
  method: string;
  path: string;
  /** Of the operation; undefined for a download. */
  id?: string;
  /** The file of what answers; undefined for an operation that the sandbox does not implement. */
  file?: FileName;
}

/** The record of all routes, made of the declarations and the handlers. */
export function allRoutes(): RouteRecord[] {
  const all = Object.entries(modules) as [FileName, ResourceModule][];
  const fileOf = new Map(
    all.flatMap(([file, { handlers }]) => handlers.map(({ operation }) => [operation.id, file] as const)),
  );
  return [
    ...operations.map(({ method, path, id }) => ({ method, path, id, file: fileOf.get(id) })),
    ...all.flatMap(([file, { downloads = [] }]) =>
      downloads.map(({ path }) => ({ method: 'GET', path, file })),
    ),
  ];
}
