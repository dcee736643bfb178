import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { answerFilesOfAgents } from './answerFiles.ts'
import { startScansAfterArchiving } from '../archiware/scanAfter.ts'
import { startReadingMedia } from '../media/startReadingMedia.ts'
import { startVerifying } from '../verify/startVerifying.ts'

/** Answers agents about the files of actions, scans archive indexes after them, compares them with later scans, and reads media files after scans. */
export function startActions(platform: Platform): Running {
  const parts = [
    answerFilesOfAgents(platform),
    startScansAfterArchiving(platform),
    startVerifying(platform),
    startReadingMedia(platform),
  ]
  return {
    async stop() {
      for (const part of parts) await part.stop()
    },
  }
}
