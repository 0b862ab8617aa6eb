import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The projects in the order in which their files begin: what takes a minute first, what takes a second last. */
const order = ['many', 'long', 'docs', 'program', 'world', 'unit'];

/** Long files begin first, so that no worker waits at the end for one that began late. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project }: TestSpecification) => order.indexOf(project.name);
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
