import { chooseLanguage, watchExamples } from './examples.js'

/** The code of the operations in the reference. */
watchExamples()
chooseLanguage()
