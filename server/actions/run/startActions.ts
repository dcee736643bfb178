import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { answerFilesOfAgents } from './answerFiles.ts'
import { startScansAfterArchiving } from './scanAfter.ts'

/** Answers agents about the files of actions, and scans archive indexes after them. */
export function startActions(platform: Platform): Running {
  const parts = [answerFilesOfAgents(platform), startScansAfterArchiving(platform)]
  return {
    async stop() {
      for (const part of parts) await part.stop()
    },
  }
}
