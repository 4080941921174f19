import { join } from 'node:path'
import { testCatalogs } from '@sum28/ui/testing/catalogs.tests.ts'

testCatalogs({
  folder: import.meta.dirname,
  areas: [
    'account',
    'charts',
    'content',
    'fairness',
    'hall',
    'money',
    'own',
    'protection',
    'room',
    'rules',
    'shell',
  ],
  sources: [join(import.meta.dirname, '..')],
  besides: [join(import.meta.dirname, '../../../../packages/ui/src/locales/en/ui.json')],
})
