/**
 * How often a long test repeats what it does; `DOCS_TEST_RUNS=2000 npm run test:long` asks for more.
 * @param usual the count that CI runs
 */
export const runs = (usual: number): number => Number(process.env.DOCS_TEST_RUNS ?? usual);
