import { useState } from 'react'
import { buckets, factsOf } from '#events/sources/buckets.ts'
import { call } from '#client/app/call.ts'
import { toast } from '#client/app/toasts.ts'
import { startBucketScan } from '#client/parts/scan-dialog/startScan.tsx'
import { SubForm } from '#client/parts/settings-table/SubForm.tsx'
import { Wizard, type WizardStep } from '#client/ui/form/Wizard.tsx'
import { PriceBookPicker } from '../../price-books/PriceBookPicker.tsx'
import { type UnsavedPriceBook, createUnsaved } from '../../price-books/unsavedPriceBooks.ts'
import { usePriceBooks } from '../../price-books/usePriceBooks.ts'
import { FirstScan, type FirstScanOptions, beginScans } from '../FirstScan.tsx'
import { ReviewList } from '#client/ui/form/ReviewList.tsx'
import { AdvancedInputs } from './AdvancedInputs.tsx'
import { bucketCredentialsTable, useBucketCredentials } from './bucketCredentials.tsx'
import { type BucketFields, bucketErrors, draftOf, newBucket, typeLabel } from './bucketFields.ts'
import { NameInputs } from './NameInputs.tsx'
import { ProviderInputs } from './ProviderInputs.tsx'
import { toldAsWarning, useBucketForm } from './useBucketForm.ts'
import shared from '../Sources.module.css'

/** Sets up a bucket, step by step. */
export function AddBucket({ onClose }: { onClose: () => void }) {
  const [at, goTo] = useState(0)
  const [hasSubForm, setSubForm] = useState(false)
  const bucket = useNewBucket()
  const steps = useSteps(bucket, hasSubForm, setSubForm)
  const save = async () => {
    const rejected = await bucket.save()
    if (rejected === undefined) onClose()
    else if (rejected[0] !== undefined) goTo(stepOf(rejected[0]))
  }
  return (
    <Wizard
      title="Add Object Storage"
      {...{ steps, at, hasSubForm, onClose }}
      busy={bucket.busy}
      verb="Save"
      onStep={goTo}
      onSave={() => void save()}
    />
  )
}

/** A bucket before it is set up, with the price books that were added for it: they are created first. */
function useNewBucket() {
  const { form, busy, saveBy } = useBucketForm(newBucket)
  const [unsaved, setUnsaved] = useState<UnsavedPriceBook[]>([])
  const [firstScan, setFirstScan] = useState<FirstScanOptions>({ scanNow: true, repeatNightly: false })
  const create = async (fields: BucketFields) => {
    const priceBook = await createUnsaved(fields.priceBook, unsaved, (selected, rest) => {
      form.setFieldValue('priceBook', selected)
      setUnsaved(rest)
    })
    const id = await createBucket({ ...fields, priceBook })
    if (id === undefined) return
    const payload = { bucketsId: [id], cloneIndex: true }
    const start = () => startBucketScan({ bucketIds: [id], cloneIndex: true })
    await beginScans(fields.description.trim(), firstScan, { jobClass: 'SCAN_BUCKETS', payload, start })
  }
  const priceBooks = { unsaved, onChange: setUnsaved }
  return { form, busy, save: () => saveBy(create), priceBooks, firstScan, setFirstScan }
}

/** Gives back its number, or nothing where it cannot be scanned yet. */
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
  const { form, busy, priceBooks, firstScan, setFirstScan } = bucket
  const { values, errors, setFieldValue } = form
  const faults = bucketErrors(values)
  const names = useSelectedNames(values, priceBooks.unsaved)
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
    {
      title: 'Select Storage Price',
      chosen: names.priceBook,
      isValid: isValid('priceBook'),
      content: (
        <PriceBookPicker
          value={values.priceBook}
          onChange={(value) => setFieldValue('priceBook', value)}
          error={errors['priceBook']}
          adding={{ ...priceBooks, onOpen: onSubForm }}
        />
      ),
    },
    {
      title: 'Review',
      isValid: Object.keys(faults).length === 0,
      content: <ReviewList rows={reviewOf(values, names)} />,
    },
    {
      title: 'First Scan',
      isValid: Object.keys(faults).length === 0,
      content: <FirstScan options={firstScan} onChange={setFirstScan} refusal={undefined} busy={busy} />,
    },
  ]
}

function NewCredentials({ onCreated, onClose }: { onCreated: (id: string) => void; onClose: () => void }) {
  const created = (id: number) => {
    onCreated(String(id))
    onClose()
  }
  return <SubForm table={bucketCredentialsTable} what="credentials" onCreated={created} onCancel={onClose} />
}

/** The names of what was selected by its number; nothing while they are not known. */
function useSelectedNames({ credentials, priceBook }: BucketFields, unsaved: readonly UnsavedPriceBook[]) {
  const { data: known } = useBucketCredentials()
  const { data: books } = usePriceBooks()
  return {
    credentials: known?.elements.find(({ id }) => String(id) === credentials)?.name,
    priceBook: [...(books?.elements ?? []), ...unsaved].find(({ id }) => String(id) === priceBook)?.description,
  }
}

function reviewOf(fields: BucketFields, names: ReturnType<typeof useSelectedNames>): [string, string | undefined][] {
  const { type, region, namespace, name, path, description, requestsPerSecond, countsVersions, inventory } = fields
  return [
    ['Cloud', typeLabel(type)],
    ['Credentials', names.credentials],
    ...(region ? [['Region', region] as [string, string]] : []),
    ...(namespace ? [['Namespace', namespace] as [string, string]] : []),
    factsOf(type).hasPath ? ['Path', path] : ['Bucket Name', name],
    ['DataIntell Name', description],
    ...(requestsPerSecond === '' ? [] : [['Requests per second', String(requestsPerSecond)] as [string, string]]),
    ...(countsVersions ? [['Old versions', 'Counted, with unfinished uploads'] as [string, string]] : []),
    ...(inventory ? [['S3 Inventory', inventory] as [string, string]] : []),
    ['Price Book', names.priceBook],
  ]
}

/** The step that a field is in. */
const stepOf = (field: string): number =>
  field === 'priceBook' ? 2 : ['name', 'path', 'description', 'requestsPerSecond', 'inventory'].includes(field) ? 1 : 0
