import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { path, pending, progress, ScriptedSpec, v1, v2 } from './scripted-spec.js';

const spec = new ScriptedSpec();
beforeEach(() => spec.begin());
afterAll(() => spec.remove());

describe('docs openapi wait', () => {
  it('waits until it is processed', async () => {
    spec.states = [pending, progress, v2];
    const ran = await spec.run('openapi wait petstore --json');
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: 'petstore', status: 'complete', version: 'v2' });
    expect(ran.sent).toEqual([`GET ${path}`, `GET ${path}`, `GET ${path}`]);
  });

  it('asks for the version if the spec does not name it', async () => {
    spec.states = [{ processingState: 'complete' }];
    expect((await spec.run('openapi wait petstore')).stdout).toBe('petstore\tcomplete\tv-latest\n');
  });

  it('takes its time from --timeout', async () => {
    spec.states = [pending];
    const ran = await spec.run('openapi wait petstore --timeout 3s');
    expect(ran.code).toBe(12);
    expect(ran.stderr).toContain('petstore was not processed within 3s; its state is pending');
  });

  it('exits 18 if the processing failed, and 6 if there is no such spec', async () => {
    spec.states = [{ ...v1, lastProcessErrorCode: 'FETCH_ERROR' }];
    expect((await spec.run('openapi wait petstore')).code).toBe(18);
    expect((await spec.run('openapi wait nothing')).code).toBe(6);
  });
});
