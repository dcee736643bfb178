import { type ReactNode, useState } from 'react'
import type { ActionPlan } from '#events/actions/plans.ts'
import { iconikCollections, iconikStorages } from '#events/actions/iconik.ts'
import { groupOfType } from '#events/sources/kinds.ts'
import { useRemote } from '#client/app/remote.ts'
import type { ActionContentProps } from '#client/parts/selection/action.ts'
import { ActionWizard } from '#client/parts/actions/wizard/ActionWizard.tsx'
import type { ItemRule } from '#client/parts/actions/wizard/validItems.ts'
import { Warning } from '#client/ui/feedback/Warning.tsx'
import { countText } from '#client/ui/text/count.ts'
import { durationText } from '#client/ui/text/duration.ts'
import { type TargetFields, TargetStep } from './TargetStep.tsx'

const texts = {
  started: 'A job for Iconik is now running.',
  failure: 'Something went wrong while trying to start the Iconik job. Please try again.',
}

const ofListed: ItemRule = {
  acceptsVolume: ({ type }) => groupOfType(type) === 'file',
  onlyFiles: true,
  text: 'Only files of file storages can be uploaded.',
}

const ofSearch: ItemRule = {
  acceptsVolume: ({ type }) => type === 'crawl.files',
  onlyFiles: true,
  text: 'Only files of local file storages can be uploaded.',
}

/** Uploads the selected files to Iconik. */
export function UploadWizard({ target, onClose }: ActionContentProps) {
  const [fields, setFields] = useState<TargetFields>({ collection: '', storage: '' })
  const collections = useRemote(iconikCollections, {})
  const storages = useRemote(iconikStorages, {})
  const collection = collections.data?.find(({ id }) => id === fields.collection)
  const storage = storages.data?.find(({ id }) => id === fields.storage)
  return (
    <ActionWizard
      title="Upload Files"
      verb="Start"
      target={target}
      rule={'entries' in target.selection ? ofListed : ofSearch}
      steps={[
        {
          title: 'Configure Target',
          chosen: storage?.name,
          isValid: storage !== undefined,
          content: <TargetStep collections={collections} storages={storages} fields={fields} onChange={setFields} />,
        },
      ]}
      job={
        storage && {
          action: 'upload',
          options: { collectionId: collection?.id ?? null, storageId: storage.id, storageType: storage.method },
        }
      }
      review={[
        ['Collection', collection ? collection.path || collection.title : 'None'],
        ['Storage', storage && `${storage.name} (${storage.method})`],
      ]}
      options={slowUploads}
      texts={texts}
      onClose={onClose}
    />
  )
}

/** Number of files from which the limit of Iconik's requests matters. */
const manyFiles = 10_000
/** Iconik accepts about 20 requests a second, and a file takes about 7. */
const msPerFile = 350

/** Warns about the duration of very many uploads. */
function slowUploads(plan: ActionPlan | undefined): ReactNode {
  if (!plan || plan.files < manyFiles) return null
  const duration = durationText(plan.files * msPerFile)
  return (
    <Warning>
      {`Iconik limits requests to about three files a second. ${countText(plan.files)} files take at least ${duration}.`}
    </Warning>
  )
}
