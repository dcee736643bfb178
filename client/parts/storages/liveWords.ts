import type { LiveState } from '#events/feeds/liveState.ts'
import type { StorageState } from '#events/overview/storageStates.ts'
import { counted } from '#client/ui/text/count.ts'
import { ageText } from '#client/ui/text/duration.ts'
import { dayText, momentText } from '#client/ui/text/moment.ts'

/** Sentences about how a storage is followed. `scan` is its last one. */
export function liveSentences({ state, reason, since, behindMs, missed }: LiveState, scan: StorageState['lastScan']) {
  if (state !== 'LIVE') return [reason ?? 'The agent has not answered yet.']
  const day = scan?.finishedAt && scan.state !== 'failed' ? ` on ${dayText(scan.finishedAt)}` : ''
  return [
    since && `All changes since ${momentText(since)} were seen.`,
    behindMs && `The oldest change that isn't shown yet is ${ageText(behindMs)} old.`,
    missed &&
      `The scan${day} found ${counted(missed.entries, 'entry', 'entries')} that ${missed.entries === 1 ? "wasn't" : "weren't"} seen live.`,
    'In local folders, changes by other clients of a share and writes to memory-mapped files are not seen.',
  ].filter((sentence) => typeof sentence === 'string')
}

/** Commands in a reason: those are between quotation marks, as paths are, which have no spaces or begin with a slash. */
export const commandsIn = (reason: string | null): string[] =>
  [...(reason ?? '').matchAll(/"([^\s"/]+ [^"]+)"/g)].map(([, command = '']) => command)
