import type { FileOutcome, FileState, PlannedFile } from '#events/actions/files.ts'
import type { Progress } from '../action.ts'
import type { Files } from '../runAction.ts'

/** A crash of the agent at a step: `record` before or after the server stored states, counted from 1. */
export type Crash = { at: number; when: 'before' | 'after' }

export class Crashed extends Error {}

type ListedFile = PlannedFile & { state: FileState; reason: string }
/** Files of an action in memory, as the server keeps them, for tests of systems without a server. */
export type FileList = ReturnType<typeof newFileList>

export function newFileList(files: (Pick<PlannedFile, 'place'> & Partial<PlannedFile>)[], pageSize = 1_000) {
  const listed = files.map((file, i): ListedFile => ({
    position: i + 1,
    path: file.place,
    pathInStorage: file.place,
    size: 0,
    modified: 0,
    reference: '',
    state: 'planned',
    reason: '',
    ...file,
  }))
  const store = ({ position, ...changed }: FileOutcome) => {
    const file = listed[position - 1]
    if (!file || file.state === 'done' || file.state === 'failed') throw new Error(`File ${position} has ended`)
    Object.assign(file, changed)
  }
  return {
    listed,
    places: (state: FileState) => listed.filter((file) => file.state === state).map(({ place }) => place),
    /** The link of one attempt; `crash` ends it once, as a killed agent would. */
    link(crash?: Crash, onProgress: (progress: Progress) => void = () => {}): Files {
      let records = 0
      let isDead = false
      const die = () => {
        isDead = true
        throw new Crashed('The agent was killed')
      }
      return {
        async *files(state) {
          for (let after = 0; ;) {
            if (isDead) die()
            const page = listed.filter((file) => file.state === state && file.position > after).slice(0, pageSize)
            if (page.length === 0) return
            yield page.map((file) => ({ ...file }))
            after = page.at(-1)?.position ?? after
          }
        },
        async record(outcomes) {
          if (isDead) die()
          records++
          if (crash?.at === records && crash.when === 'before') die()
          outcomes.forEach(store)
          if (crash?.at === records && crash.when === 'after') die()
        },
        setProgress: onProgress,
        digestCopies: async (ranges) =>
          ranges.map(() => ({ failure: 'unreachable', reason: "can't be read by an agent" })),
      }
    },
  }
}
