import { buckets, factsOf } from '#events/sources/buckets.ts'
import { call } from '#client/app/call.ts'
import { toast } from '#client/app/toasts.ts'
import { SubForm } from '#client/parts/settings-table/SubForm.tsx'
import { Wizard, type WizardStep } from '#client/ui/form/Wizard.tsx'
import { lastSteps, useAddWizard, useAdditions } from '../addWizard.tsx'
import { startFirstScan } from '../FirstScan.tsx'
import { AdvancedInputs } from './AdvancedInputs.tsx'
import { bucketCredentialsTable, useBucketCredentials } from './bucketCredentials.tsx'
import { type BucketFields, bucketErrors, draftOf, newBucket, typeLabel } from './bucketFields.ts'
import { NameInputs } from './NameInputs.tsx'
import { ProviderInputs } from './ProviderInputs.tsx'
import { toldAsWarning, useBucketForm } from './useBucketForm.ts'
import shared from '../Sources.module.css'

/** Sets up a bucket, step by step. */
export function AddBucket({ onClose }: { onClose: () => void }) {
  const bucket = useNewBucket()
  const { wizard, onSubForm } = useAddWizard({ save: bucket.save, stepOf, onClose })
  const steps = useSteps(bucket, wizard.hasSubForm, onSubForm)
  return <Wizard title="Add Object Storage" {...wizard} steps={steps} busy={bucket.busy} />
}

/** Form state of a bucket to add. */
function useNewBucket() {
  const { form, busy, saveBy } = useBucketForm(newBucket)
  const additions = useAdditions(form)
  const create = async (fields: BucketFields) => {
    const priceBook = await additions.createPriceBooks(fields.priceBook)
    const id = await createBucket({ ...fields, priceBook })
    if (id === undefined) return
    await startFirstScan({ kind: 'bucket', id, name: fields.description.trim() }, additions.firstScan)
  }
  return { form, busy, save: () => saveBy(create), additions }
}

/** Returns the bucket's id; undefined if it can't be scanned yet. */
async function createBucket(fields: BucketFields): Promise<number | undefined> {
  try {
    const { id } = await call(buckets.create, { body: draftOf(fields) })
    toast({ kind: 'success', message: `${fields.description.trim()} was added` })
    return id
  } catch (error) {
    if (!toldAsWarning(error)) throw error
    return undefined
  }
}

type NewBucket = ReturnType<typeof useNewBucket>

function useSteps(bucket: NewBucket, hasSubForm: boolean, onSubForm: (isOpen: boolean) => void): WizardStep[] {
  const { form, busy, additions } = bucket
  const { values, setFieldValue } = form
  const faults = bucketErrors(values)
  const credentials = useCredentialsName(values.credentials)
  const isValid = (...fields: (keyof BucketFields)[]) => fields.every((field) => faults[field] === undefined)
  return [
    {
      title: 'Configure Cloud Credentials',
      chosen: typeLabel(values.type),
      isValid: isValid('type', 'credentials', 'region') && (values.namespace !== '' || isValid('namespace')),
      content: hasSubForm ? (
        <NewCredentials onCreated={(id) => setFieldValue('credentials', id)} onClose={() => onSubForm(false)} />
      ) : (
        <div className={shared.form}>
          <ProviderInputs form={form} busy={busy} onNewCredentials={() => onSubForm(true)} />
        </div>
      ),
    },
    {
      title: 'Configure Bucket',
      chosen: values.description,
      isValid: isValid('name', 'path', 'description', 'requestsPerSecond'),
      content: (
        <div className={shared.form}>
          <NameInputs form={form} busy={busy} suggests />
          <AdvancedInputs form={form} busy={busy} />
        </div>
      ),
    },
    ...lastSteps({ form, busy, additions, faults, review: reviewOf(values, credentials), onSubForm }),
  ]
}

function NewCredentials({ onCreated, onClose }: { onCreated: (id: string) => void; onClose: () => void }) {
  const created = (id: number) => {
    onCreated(String(id))
    onClose()
  }
  return <SubForm table={bucketCredentialsTable} what="credentials" onCreated={created} onCancel={onClose} />
}

/** Name of the selected credentials; undefined until loaded. */
function useCredentialsName(selected: string): string | undefined {
  const { data: known } = useBucketCredentials()
  return known?.elements.find(({ id }) => String(id) === selected)?.name
}

function reviewOf(fields: BucketFields, credentials: string | undefined): [string, string | undefined][] {
  const { type, region, namespace, name, path, description, requestsPerSecond, countsVersions, inventory } = fields
  return [
    ['Cloud', typeLabel(type)],
    ['Credentials', credentials],
    ...(region ? [['Region', region] as [string, string]] : []),
    ...(namespace ? [['Namespace', namespace] as [string, string]] : []),
    factsOf(type).hasPath ? ['Path', path] : ['Bucket Name', name],
    ['DataIntell Name', description],
    ...(requestsPerSecond === '' ? [] : [['Requests per second', String(requestsPerSecond)] as [string, string]]),
    ...(countsVersions ? [['Old versions', 'Counted, with unfinished uploads'] as [string, string]] : []),
    ...(inventory ? [['S3 Inventory', inventory] as [string, string]] : []),
  ]
}

/** The step of a field. */
const stepOf = (field: string): number =>
  field === 'priceBook' ? 2 : ['name', 'path', 'description', 'requestsPerSecond', 'inventory'].includes(field) ? 1 : 0
