module waybill.example/receiver

go 1.21
