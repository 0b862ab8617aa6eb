/** One run of jq. */
export interface JqRequest {
  filter: string;
  json: string;
}

export type JqAnswer =
  | { exitCode: number; stdout: string; stderr: string }
  /** It needs more memory than it may have. */
  | { isFull: true }
  /** It does not load. */
  | { problem: string };

/** What is used of jq-wasm. */
interface JqModule {
  loadJq(): Promise<{ raw(json: string, filter: string, flags: string[]): JqAnswer }>;
}

/** The exit code of whatever runs jq once its output is larger than it may be. */
export const outputFull = 77;

/**
 * What runs jq, apart from the main thread, so that it can be ended (jq-engine.ts). Node's worker gets its source
 * text, so it names nothing from outside.
 * @param end ends the worker or process with an exit code
 */
export function answerJq(
  load: () => JqModule | Promise<JqModule>,
  end: (code: number) => unknown,
): (request: JqRequest) => Promise<JqAnswer> {
  // jq gathers its output in an array that it doubles. What it throws there would be a write that failed, after which
  // it goes on.
  const mostBytes = 2 ** 28;
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(target, values, as) {
      if (typeof values[0] === 'number' && values[0] > mostBytes) end(77);
      return Reflect.construct(target, values, as === globalThis.Uint8Array ? target : as) as Uint8Array;
    },
  });
  // It writes there what it says of its own end.
  console.error = () => undefined;
  let loaded: ReturnType<JqModule['loadJq']> | undefined;
  return async ({ filter, json }) => {
    try {
      loaded ??= Promise.resolve(load()).then((jq) => jq.loadJq());
      await loaded;
    } catch (error) {
      return { problem: String((error as Error | undefined)?.message || error) };
    }
    try {
      return (await loaded).raw(json, filter, ['--compact-output', '--']);
    } catch {
      // Where its memory or its stack is full, it aborts, and can run nothing more.
      loaded = undefined;
      return { isFull: true };
    }
  };
}
