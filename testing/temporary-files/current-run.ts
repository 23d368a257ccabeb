/** A run of the tests, which all its processes know by their environment. */
export interface TestRun {
  /** For everything that several test files share. */
  readonly folder: string
  /** The process that the run ends with. */
  readonly pid: number
}

/** The run that this process belongs to, or undefined outside of tests. */
export function currentRun(): TestRun | undefined {
  const { TOOLSEARCH_TEST_RUN } = process.env
  return TOOLSEARCH_TEST_RUN === undefined ? undefined : JSON.parse(TOOLSEARCH_TEST_RUN)
}

/** Makes a run known to this process and the processes that it starts from now on. */
export function startRun(run: TestRun): void {
  process.env.TOOLSEARCH_TEST_RUN = JSON.stringify(run)
}
