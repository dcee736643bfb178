type FileFault<S, F> = { path: string; step: S; failure: F; times: number }

/** Steps of the work on files, such as `store`: how often each one was completed for a file, and faults of the next ones. */
export function newFileSteps<Step extends string, Failure, FaultStep extends string = Step>(
  onStep: ((path: string, step: Step) => void) | undefined,
) {
  const counts = new Map<string, number>()
  const faults: FileFault<FaultStep, Failure>[] = []
  return {
    /** Number of times that a step was completed for a file. */
    count: (path: string, step: Step): number => counts.get(`${step} ${path}`) ?? 0,
    completed(path: string, step: Step): void {
      counts.set(`${step} ${path}`, this.count(path, step) + 1)
      onStep?.(path, step)
    },
    /** The next steps of this kind of a file fail. */
    fail: (path: string, step: FaultStep, failure: Failure, times: number) =>
      void faults.push({ path, step, failure, times }),
    /** Fault of a step of a file, which counts as used. */
    takeFault(path: string, step: FaultStep): Failure | undefined {
      const fault = faults.find((each) => each.path === path && each.step === step && each.times > 0)
      if (fault) fault.times--
      return fault?.failure
    },
  }
}
