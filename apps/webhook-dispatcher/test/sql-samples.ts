import { countedDeliveries, fewDeliveries, pageOfDeliveries } from '../src/deliveries/deliveries.sql.js';

/** Statements made by functions, with the arguments that the service passes. */
export const samples = {
  pageOfDeliveries: {
    'of a webhook': pageOfDeliveries(countedDeliveries, false),
    'of a run, with one status': pageOfDeliveries(fewDeliveries, true),
  },
};
