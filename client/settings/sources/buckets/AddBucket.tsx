import { type BucketDraft, buckets, type BucketType, factsOf } from '#events/sources/buckets.ts'
import { call } from '#client/app/call.ts'
import { SubForm } from '#client/parts/settings-table/SubForm.tsx'
import { Wizard, type WizardStep } from '#client/ui/form/Wizard.tsx'
import { lastSteps, saveAll, stepOf, useAddWizard, useNewSource } from '../addWizard.tsx'
import { withProblems } from '#client/parts/settings-table/connectionCheck.ts'
import { BucketOptions } from './BucketOptions.tsx'
import { useAccessProblems, useSignInProblems } from './bucketChecks.ts'
import { bucketCredentialsTable, useBucketCredentials } from './bucketCredentials.tsx'
import { paceOfRequests } from '../pace/paceForm.ts'
import { type BucketFields, bucketForm, oldVersions, typeLabel } from './bucketForm.ts'
import { NameInputs } from './NameInputs.tsx'
import { ProviderInputs } from './ProviderInputs.tsx'
import { toldAsWarning } from './useBucketForm.ts'
import shared from '../Sources.module.css'

/** Sets up a bucket, step by step. */
export function AddBucket({ onClose }: { onClose: () => void }) {
  const bucket = useNewBucket()
  const { wizard, onSubForm } = useAddWizard(onClose)
  const steps = useSteps(bucket, wizard.hasSubForm, onSubForm)
  const checked = checksOf({ bucket, steps, onStep: wizard.onStep })
  const save = () => void saveAll({ wizard, steps, save: bucket.save })
  return <Wizard title="Add Object Storage" {...wizard} steps={checked} savesEarly busy={bucket.busy} onSave={save} />
}

/** Form state of a bucket to add, whose sign-in and name are checked in their steps. */
function useNewBucket() {
  const bucket = useNewSource({
    kind: 'bucket',
    form: bucketForm,
    nameOf: ({ description }) => description,
    create,
  })
  const signIn = useSignInProblems(bucket.form)
  const access = useAccessProblems(bucket.form)
  const { isChecking } = [signIn, access].find((check) => check.isChecking) ?? { isChecking: false }
  return {
    ...bucket,
    form: withProblems(bucket.form, { ...signIn.problems, ...access.problems }),
    busy: bucket.busy || isChecking,
    signIn,
    access,
  }
}

type Checked = { bucket: NewBucket; steps: WizardStep[]; onStep: (at: number) => void }

/** Adds the checks to the first two steps. A problem of an earlier step opens that step. */
function checksOf({ bucket: { signIn, access }, steps, onStep }: Checked): WizardStep[] {
  return steps.map((step, at) => {
    const check = [signIn, access][at]
    if (!check) return step
    return {
      ...step,
      onIgnore: check.onIgnore,
      async check() {
        const problems = await check.run()
        const earlier = stepOf(steps.slice(0, at), Object.keys(problems ?? {}))
        if (earlier !== undefined) onStep(earlier)
        return problems === undefined
      },
    }
  })
}

/** Returns the bucket's id; undefined if it can't be scanned yet. */
async function create(body: BucketDraft): Promise<number | undefined> {
  try {
    return (await call(buckets.create, { body })).id
  } catch (error) {
    if (!toldAsWarning(error)) throw error
    return undefined
  }
}

type NewBucket = ReturnType<typeof useNewBucket>

function useSteps(bucket: NewBucket, hasSubForm: boolean, onSubForm: (isOpen: boolean) => void): WizardStep[] {
  const { form, busy, additions } = bucket
  const { values, setFieldValue } = form
  const faults = bucketForm.errors(values)
  const credentials = useCredentialsName(values.credentials)
  const isValid = (...fields: (keyof BucketFields)[]) => fields.every((field) => faults[field] === undefined)
  return [
    {
      title: 'Configure Cloud Credentials',
      fields: ['type', 'credentials', 'region', 'namespace'],
      chosen: typeLabel(values.type),
      isValid: isValid('type', 'credentials', 'region') && (values.namespace !== '' || isValid('namespace')),
      content: hasSubForm ? (
        <NewCredentials
          type={values.type}
          onCreated={(id) => setFieldValue('credentials', id)}
          onClose={() => onSubForm(false)}
        />
      ) : (
        <div className={shared.form}>
          <ProviderInputs form={form} busy={busy} onNewCredentials={() => onSubForm(true)} />
        </div>
      ),
    },
    {
      title: 'Configure Bucket',
      fields: bucketFields,
      chosen: values.description,
      isValid: isValid(...bucketFields),
      content: (
        <div className={shared.form}>
          <NameInputs form={form} busy={busy} suggests />
          <BucketOptions form={form} busy={busy} />
        </div>
      ),
    },
    ...lastSteps({ form, busy, additions, faults, review: reviewOf(values, credentials), onSubForm }),
  ]
}

/** Fields of the second step. */
const bucketFields: (keyof BucketFields)[] = [
  'name',
  'path',
  'description',
  'requestsPerSecond',
  'prefix',
  'inventory',
  ...paceOfRequests.folded.inputs.map(({ name }) => name),
]

type NewCredentialsProps = { type: BucketType; onCreated: (id: string) => void; onClose: () => void }

/** Adds credentials for the selected cloud. */
function NewCredentials({ type, onCreated, onClose }: NewCredentialsProps) {
  const created = (id: number) => {
    onCreated(String(id))
    onClose()
  }
  const form = { table: bucketCredentialsTable, what: 'credentials', onCreated: created, onCancel: onClose }
  return <SubForm {...form} initial={{ type }} />
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
    ...(fields.prefix ? [['Prefix', fields.prefix] as [string, string]] : []),
    ...(fields.teamSpace ? [['Team space', 'Included'] as [string, string]] : []),
    ['DataIntell Name', description],
    ...(requestsPerSecond === '' ? [] : [['Requests per second', String(requestsPerSecond)] as [string, string]]),
    ...(countsVersions ? [['Counted', oldVersions(type)] as [string, string]] : []),
    ...(fields.requesterPays ? [['Requester pays', 'Yes'] as [string, string]] : []),
    ...(inventory ? [['S3 Inventory', inventory] as [string, string]] : []),
    ...paceOfRequests.review(fields),
  ]
}
