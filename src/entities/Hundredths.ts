/** An exact amount of credits as integer hundredths: 150 is 1.5 credits. Never a fraction, never over 2^53. */
export type Hundredths = number & { readonly brand: 'hundredths of a credit' }
