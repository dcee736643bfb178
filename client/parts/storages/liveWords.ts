import type { LiveState } from '#events/feeds/liveState.ts'
import type { StorageState } from '#events/overview/storageStates.ts'
import { counted } from '#client/ui/text/count.ts'
import { ageText } from '#client/ui/text/duration.ts'
import { dayText, momentText } from '#client/ui/text/moment.ts'

/** How a storage is followed, in sentences. A command in the reason is between backticks, and is in `command` instead. */
export function liveWords(
  { state, reason, since, behindMs, missed }: LiveState,
  scan: StorageState['lastScan'] | undefined,
) {
  if (state !== 'LIVE') {
    const [before = '', command] = (reason ?? 'The agent has not answered yet.').split('`')
    return { sentences: [before.trim()], command }
  }
  const day = scan?.finishedAt && scan.state !== 'failed' ? ` on ${dayText(scan.finishedAt)}` : ''
  const sentences = [
    since && `All changes since ${momentText(since)} were seen.`,
    behindMs !== null && behindMs > 0 && `The oldest change that isn't shown yet is ${ageText(behindMs)} old.`,
    missed &&
      `The scan${day} found ${counted(missed.entries, 'entry', 'entries')} that ${wereNot(missed.entries)} seen live.`,
    'Changes by other clients of a share and writes to memory-mapped files are not seen.',
  ]
  return { sentences: sentences.filter((sentence) => typeof sentence === 'string'), command: undefined }
}

const wereNot = (count: number) => (count === 1 ? "wasn't" : "weren't")
