import { useState } from 'react'
import { toast } from '#client/app/toasts.ts'
import { Wizard, type WizardStep } from '#client/ui/form/Wizard.tsx'
import { startScan } from '#client/parts/scan-dialog/startScan.tsx'
import { PriceBookPicker } from '../../../price-books/PriceBookPicker.tsx'
import { type UnsavedPriceBook, createUnsaved } from '../../../price-books/unsavedPriceBooks.ts'
import { AgentStep } from '../../AgentStep.tsx'
import { type FileStorageFields, fileStorageErrors, isShare, newFileStorage } from '../fileStorageFields.ts'
import { folderOf, whyNotCreated } from '../folderChecks.ts'
import { createFileStorage, useFileStorageForm } from '../useFileStorageForm.ts'
import { ConfigureStep } from './ConfigureStep.tsx'
import { FirstScan, type FirstScanOptions, beginScans } from '../../FirstScan.tsx'
import { ReviewList } from '#client/ui/form/ReviewList.tsx'
import { scanTypeLabels } from '../scanTypes.ts'
import { usePriceBooks } from '../../../price-books/usePriceBooks.ts'
import { useAgents } from '../../useAgents.ts'
import { useCredentials } from '../networkCredentials.ts'

/** Sets up a file storage, step by step. */
export function AddFileStorage({ onClose }: { onClose: () => void }) {
  const [at, goTo] = useState(0)
  const [hasSubForm, setSubForm] = useState(false)
  const storage = useNewFileStorage()
  const steps = useSteps(storage, hasSubForm, setSubForm)
  const save = async () => {
    const rejected = await storage.save()
    if (rejected === undefined) onClose()
    else if (rejected[0] !== undefined) goTo(stepOf(rejected[0]))
  }
  return (
    <Wizard
      title="Add File Storage"
      {...{ steps, at, hasSubForm, onClose }}
      busy={storage.busy}
      verb={storage.refusal === undefined ? 'Save' : 'Save anyway'}
      onStep={goTo}
      onSave={() => void save()}
    />
  )
}

/** A file storage before it is set up, with the price books that were added for it: they are created first. */
function useNewFileStorage() {
  const { form, busy, saveBy } = useFileStorageForm(newFileStorage)
  const [unsaved, setUnsaved] = useState<UnsavedPriceBook[]>([])
  const [firstScan, setFirstScan] = useState<FirstScanOptions>({ scanNow: true, repeatNightly: false })
  /** What spoke against the folder at the last try; the next one sets the storage up there nevertheless. */
  const [refused, refuse] = useState<{ folder: string; reason: string }>()
  const refusal = refused?.folder === folderKey(form.values) ? refused.reason : undefined
  const create = async (fields: FileStorageFields) => {
    const reason = refusal === undefined ? await whyNotCreated(fields) : undefined
    if (reason !== undefined) {
      refuse({ folder: folderKey(fields), reason })
      throw new Error(reason)
    }
    const priceBook = await createUnsaved(fields.priceBook, unsaved, (selected, rest) => {
      form.setFieldValue('priceBook', selected)
      setUnsaved(rest)
    })
    const id = await createFileStorage({ ...fields, priceBook })
    const name = fields.name.trim()
    toast({ kind: 'success', message: `${name} was added` })
    await beginScans(name, firstScan, {
      jobClass: 'SCAN_VOLUMES',
      payload: { volumes: [id], cloneIndex: true },
      start: () => startScan({ volumeIds: [id], folders: {}, cloneIndex: true }),
    })
  }
  const priceBooks = { unsaved, onChange: setUnsaved }
  return { form, busy, save: () => saveBy(create), priceBooks, refusal, firstScan, setFirstScan }
}

const folderKey = (fields: FileStorageFields): string => JSON.stringify([fields.name, folderOf(fields)])

type NewFileStorage = ReturnType<typeof useNewFileStorage>

function useSteps(storage: NewFileStorage, hasSubForm: boolean, onSubForm: (isOpen: boolean) => void): WizardStep[] {
  const { form, busy, priceBooks, firstScan, setFirstScan, refusal } = storage
  const { values, errors, setFieldValue } = form
  const names = useSelectedNames(values, priceBooks.unsaved)
  const faults = fileStorageErrors(values)
  const { agent, priceBook, ...configured } = faults
  return [
    {
      title: 'Select Agent',
      chosen: names.agent,
      isValid: !agent,
      content: (
        <AgentStep
          description="The one that sees the folder, or reaches the share over the network"
          value={values.agent}
          onChange={(value) => setFieldValue('agent', value)}
          error={errors['agent']}
        />
      ),
    },
    {
      title: 'Configure File Storage',
      chosen: values.name,
      isValid: Object.keys(configured).length === 0,
      content: <ConfigureStep form={form} busy={busy} isAddingCredentials={hasSubForm} onSubForm={onSubForm} />,
    },
    {
      title: 'Select Storage Price',
      chosen: names.priceBook,
      isValid: !priceBook,
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
      content: <FirstScan options={firstScan} onChange={setFirstScan} refusal={refusal} busy={busy} />,
    },
  ]
}

/** The step that a field is in. */
const stepOf = (field: string): number => (field === 'agent' ? 0 : field === 'priceBook' ? 2 : 1)

/** What a new file storage will be. */
function reviewOf(
  fields: FileStorageFields,
  names: ReturnType<typeof useSelectedNames>,
): [string, string | undefined][] {
  const { mountType, host, shareName, options, name, path, scanType } = fields
  const ofShare: [string, string | undefined][] = [
    ['Host', host],
    ['Share Name', shareName],
    ...(mountType === 'SMB' ? [['Credentials', names.credentials] as [string, string | undefined]] : []),
    ['Options', options.trim() || 'None'],
  ]
  return [
    ['Name', name],
    ['Path', path],
    ['Scan Type', scanTypeLabels[scanType]],
    ['Mount Type', mountType],
    ...(isShare(mountType) ? ofShare : []),
    ['Agent', names.agent],
    ['Price Book', names.priceBook],
  ]
}

type Selected = Pick<FileStorageFields, 'agent' | 'priceBook' | 'credentials'>

/** The names of what was selected by its number; nothing while they are not known. */
function useSelectedNames({ agent, priceBook, credentials }: Selected, unsaved: readonly UnsavedPriceBook[]) {
  const { data: agentList } = useAgents()
  const { data: credentialList } = useCredentials()
  const { data: books } = usePriceBooks()
  const isSelected =
    (value: string) =>
    ({ id }: { id: number }) =>
      String(id) === value
  return {
    agent: agentList?.elements.find(isSelected(agent))?.name,
    credentials: credentials === '' ? 'Guest' : credentialList?.elements.find(isSelected(credentials))?.name,
    priceBook: [...(books?.elements ?? []), ...unsaved].find(isSelected(priceBook))?.description,
  }
}
