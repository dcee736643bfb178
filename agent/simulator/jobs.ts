/**
 * Jobs of a simulated server by their ids, in the order of their creation. Each one has a script, which is its course in simulated time;
 * `scripts` gives the default.
 */
export function newJobs<J extends { id: string; script: S }, S extends object>(scripts: () => S) {
  const jobs = new Map<string, J>()
  const next: Partial<S>[] = []
  return {
    all: () => [...jobs.values()],
    get: (id: string) => jobs.get(id),
    /** Removes a job, as if the server no longer knew it. */
    forget: (id: string) => void jobs.delete(id),
    forgetAll: () => jobs.clear(),
    /** Changes the course of the next job only. */
    scriptNext: (script: Partial<S>) => void next.push(script),
    add(job: Omit<J, 'script'>): J {
      const added = { ...job, script: { ...scripts(), ...next.shift() } } as J
      jobs.set(added.id, added)
      return added
    },
  }
}
