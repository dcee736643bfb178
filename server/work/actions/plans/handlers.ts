import type { Action } from '#events/actions/actions.ts'
import { archive, restore } from '../archiware/handlers.ts'
import { compare } from '../contents/compare.ts'
import { upload } from '../iconik/upload.ts'
import type { ActionHandler } from '../kit/handler.ts'
import { readMedia } from '../media/readMedia.ts'
import { deleteQuarantined, putBack, quarantine } from '../quarantine/quarantine.ts'
import { retrieve, store } from '../stornext/handlers.ts'
import { transfer } from '../transfers/transfer.ts'

const handlers: { [A in Action]: ActionHandler<A> } = {
  archive,
  restore,
  transfer,
  store,
  retrieve,
  upload,
  compare,
  readMedia,
  quarantine,
  putBack,
  deleteQuarantined,
}

export const handlerOf = (action: Action): ActionHandler => handlers[action]
