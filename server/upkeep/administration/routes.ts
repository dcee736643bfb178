import { application, dailyLog, logs, restart } from '#events/administration.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { logArchive, newestLog } from './logArchive.ts'
import { readApplication } from './readApplication.ts'
import { type Restart, restartServer } from './restart.ts'

/** `restart` is missing if nothing would start the process again. */
export const administrationRoutes = (platform: Platform, restartProcess?: Restart) => [
  route(application, () => readApplication(platform)),
  route(restart, ({ params }, by) => restartServer(platform, restartProcess, params.id, by)),
  route(logs, () => logArchive(platform.config)),
  route(dailyLog, () => newestLog(platform.config)),
]
